/** Keys of many shapes, as vendors and proxies hand them out; all of them invented here. */
import type { Dice } from "../../../tests/support/random.ts";

const HEX = "0123456789abcdef";
const WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function makeKey(dice: Dice): string {
  const of = (letters: string, length: number) => Array.from({ length }, () => dice.pick([...letters])).join("");
  switch (dice.weighted({ usual: 3, hex: 1, token: 1, base64: 1, odd: 1, short: 1, long: 1 })) {
    case "usual":
      return `sk-${of(WORD, 40)}`;
    case "hex":
      return of(HEX, 32);
    case "token":
      return `eyJ${of(WORD, 30)}.eyJ${of(WORD, 60)}.${of(WORD, 43)}`;
    case "base64":
      return `${of(WORD + "+/", 42)}==`;
    case "odd":
      return `k:${of(WORD, 6)}&${of(WORD, 6)}%2F${of(WORD, 4)}"${of(WORD, 5)}\\${of(WORD, 5)}`;
    case "short":
      return `${of(WORD, 4)}${of("0123456789", 3)}${of(WORD, 3)}`;
    case "long":
      return `sk-proj-${of(WORD + "_-", 160)}`;
  }
}
