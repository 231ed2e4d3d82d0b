/** `/show-balance`: what is left on the account of the model's provider. */
import { type BuiltIn, done, text, WrongArgument } from "./built_in.ts";

export const BALANCE: BuiltIn = {
  name: "show-balance",
  hint: "[on|off]",
  summary: "Ask for the balance of the provider's account, or keep it in the status row",
  details: "The question goes to `balance_url` of the provider, else to where its vendor is known to answer it, with " +
    "the provider's key. `on` and `off` are kept as `[billing] show_balance`.",
  run: async (word, { host, controller }) => {
    if (word === "on" || word === "off") {
      await host.showBalance(word === "on");
      return done(word === "on" ? "The status row shows the balance." : "The status row shows no balance.");
    }
    if (word !== "") throw new WrongArgument(`"${word}" is neither on nor off`);
    const { ref } = controller.model;
    const balance = await host.balance(ref);
    const provider = ref.split("/")[0]!;
    if (balance === undefined) {
      return text(
        `Nobody knows where ${provider} tells its balance. If it has an address for that: \`balance_url\` of this ` +
          "provider in your settings.",
      );
    }
    const amounts = balance.amounts.map(({ amount, currency }) => `- ${amount.toFixed(2)} ${currency ?? ""}`.trimEnd());
    const low = balance.exhausted ? ["", "The provider says that this is not enough for requests."] : [];
    return text([`Balance of ${provider}:`, "", ...amounts, ...low].join("\n"));
  },
};
