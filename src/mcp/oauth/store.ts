/**
 * What a sign-in left for one server: client and tokens, readable by the person alone, bound to the address they were
 * issued for. Clearing raises a generation, so that a sign-in still open in a browser cannot write afterwards.
 */
import { replaceFile } from "../../lib/atomic_file.ts";
import { toBytes } from "../../lib/bytes.ts";
import { withFileLock } from "../../lib/file_lock.ts";

export interface SignIn {
  readonly version: 1;
  /** The configured address, whole. */
  readonly resource: string;
  /** What the server calls itself towards its authorization server. */
  readonly resource_indicator?: string;
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint?: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
  /** The callback the client was registered with. */
  readonly redirect_uri?: string;
  readonly scope?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly token_type?: string;
  /** ISO 8601; absent: unknown. */
  readonly expiry?: string;
}

export class SignInStore {
  readonly #folder: string;

  /** The server's private folder; made when there is something to keep. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was kept for this very address; undefined for any other, and for a file that cannot be read. */
  async load(resource: string): Promise<SignIn | undefined> {
    try {
      const file = JSON.parse(await Deno.readTextFile(this.#path)) as SignIn;
      return file.version === 1 && file.resource === resource && typeof file.client_id === "string" ? file : undefined;
    } catch {
      return undefined;
    }
  }

  /** Written only while nothing was cleared since `generation` was read. False otherwise. */
  async save(signIn: SignIn, generation: number): Promise<boolean> {
    return await this.locked(async () => {
      if (await this.generation() !== generation) return false;
      await this.write(signIn);
      return true;
    });
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    await this.locked(async () => {
      const next = await this.generation() + 1;
      await replaceFile(`${this.#folder}/oauth.generation`, toBytes(`${next}\n`), { mode: 0o600 });
      await Deno.remove(this.#path).catch(() => {});
    });
  }

  async generation(): Promise<number> {
    const text = await Deno.readTextFile(`${this.#folder}/oauth.generation`).catch(() => "0");
    return Number.parseInt(text, 10) || 0;
  }

  /** While `work` runs no other process reads to refresh, or writes. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const lock = `${this.#folder}/oauth.json.lock`;
    // A file of its own: the one it guards comes and goes.
    await Deno.writeFile(lock, new Uint8Array(), { append: true, mode: 0o600 });
    return await withFileLock(lock, work, { timeoutMs: 60_000 });
  }

  /** Inside `locked` only. */
  async write(signIn: SignIn): Promise<void> {
    await replaceFile(this.#path, toBytes(JSON.stringify(signIn, null, 2) + "\n"), { mode: 0o600 });
  }

  get #path(): string {
    return `${this.#folder}/oauth.json`;
  }
}

/** When a token that lives for `seconds` from now ends. */
export function expiryOf(seconds: number | undefined): { readonly expiry?: string } {
  return seconds === undefined || !Number.isFinite(seconds)
    ? {}
    : { expiry: new Date(Date.now() + Math.max(0, seconds) * 1000).toISOString() };
}
