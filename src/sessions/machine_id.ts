/**
 * Names of sessions for other programs: `session_` and 32 hex digits, an HMAC of the id under a key of this installation.
 * They are stable while the key is and tell nothing of the id.
 */
import { toBytes, toHex } from "../lib/bytes.ts";
import { dirname } from "../lib/path.ts";
import { writeFailed } from "./session_errors.ts";
import { removeQuietly } from "./state_file.ts";

export interface MachineIds {
  of(id: string): Promise<string>;
  /** The one of `ids` that `machineId` stands for. */
  find(machineId: string, ids: readonly string[]): Promise<string | undefined>;
}

export function isMachineId(text: string): boolean {
  return /^session_[0-9a-f]{32}$/.test(text);
}

/** The key is made at first use, at `keyPath`, readable by the user alone. */
export function createMachineIds(keyPath: string): MachineIds {
  let key: Promise<CryptoKey> | undefined;
  const of = async (id: string) => {
    key ??= importKey(loadOrMakeKey(keyPath));
    const mac = await crypto.subtle.sign("HMAC", await key, toBytes(id));
    return `session_${toHex(new Uint8Array(mac, 0, 16))}`;
  };
  return {
    of,
    async find(machineId, ids) {
      for (const id of ids) if (await of(id) === machineId) return id;
      return undefined;
    },
  };
}

function importKey(hex: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", toBytes(hex), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

function loadOrMakeKey(path: string): string {
  const known = readKey(path);
  if (known !== undefined) return known;
  const made = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const temporary = `${path}.${Deno.pid}.tmp`;
  try {
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(temporary, made + "\n", { mode: 0o600 });
    // A link, not a rename: of two programs that make a key at once, the first wins for both.
    Deno.linkSync(temporary, path);
    return made;
  } catch (error) {
    const other = readKey(path);
    if (other !== undefined) return other;
    throw writeFailed(path, error);
  } finally {
    removeQuietly(temporary);
  }
}

function readKey(path: string): string | undefined {
  try {
    const text = Deno.readTextFileSync(path).trim();
    return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
