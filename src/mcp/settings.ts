/** One server as it is to be connected: variables filled in, defaults applied, free of files and environment. */
import { sha256 } from "../lib/bytes.ts";
import { canonicalJson } from "../lib/canonical_json.ts";

export type ServerTarget =
  | {
    readonly kind: "stdio";
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Absolute. */
    readonly dir?: string;
  }
  | {
    readonly kind: "http" | "sse";
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** For authorization servers that cannot be discovered or registered with. */
    readonly oauth?: FixedOAuth;
  };

export interface FixedOAuth {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Address of a document that describes the client, for servers that take one in place of a registration. */
  readonly clientMetadataUrl?: string;
  readonly scope?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  /** Port of the callback, for clients registered with one; default: any free one. */
  readonly callbackPort?: number;
}

export interface ServerSettings {
  readonly name: string;
  readonly target: ServerTarget;
  /** Launch, sign-in, initialize and listing together. Milliseconds. */
  readonly startupMs: number;
  /** One call. Milliseconds. */
  readonly callMs: number;
  /** By the server's own tool name. Milliseconds. */
  readonly toolMs: Readonly<Record<string, number>>;
  readonly concurrency: "parallel" | "serial";
  /** Switched off in the settings: known, never started. */
  readonly enabled: boolean;
  readonly autoStart: boolean;
  /** A run fails without it. */
  readonly required: boolean;
  /** `always`: its tools stand in requests whatever they cost; `deferred`: never. */
  readonly load: "auto" | "always" | "deferred";
  /** What the person should know of its declaration; one line each. */
  readonly notes: readonly string[];
  /** Declared in a way that cannot work: why. It is listed and never started. */
  readonly problem?: string;
}

/** Equal for equal connections, different after any change of command, environment, address or headers. */
export async function connectionIdentity({ target }: ServerSettings): Promise<string> {
  return (await sha256(canonicalJson(target))).slice(0, 32);
}

/** Values that must not be shown: what stands in headers and in the server's own environment. */
export function secretsOf({ target }: ServerSettings): string[] {
  if (target.kind === "stdio") return Object.values(target.env);
  const { clientSecret } = target.oauth ?? {};
  return [...Object.values(target.headers), ...(clientSecret === undefined ? [] : [clientSecret])];
}

/** A fixed `Authorization` takes the place of any sign-in. */
export function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
