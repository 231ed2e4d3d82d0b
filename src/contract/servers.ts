/**
 * MCP servers as the rest of the program sees them: what each is doing, and the prompts and resources it offers to
 * people. Their tools come as `Tool`s like any other. One set of connections per session, shared by all its agents.
 */

export type ServerState =
  /** Starts at its first use. */
  | "waiting"
  | "starting"
  | "ready"
  | "failed"
  /** The person has to sign in: `reasonix mcp auth <name>`. */
  | "needs_sign_in"
  | "disabled";

/** How far a start came: the stage that failed or is under way. */
export type StartStage = "launch" | "authorization" | "initialize" | "tools/list";

export interface ServerView {
  readonly name: string;
  readonly transport: "stdio" | "http" | "sse";
  readonly state: ServerState;
  /** Why it is not ready: one line, at most 500 characters, secrets taken out. */
  readonly reason?: string;
  readonly stage?: StartStage;
  /** How long the last start took or has taken. Milliseconds. */
  readonly startMs?: number;
  /** A run fails without it. */
  readonly required: boolean;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  /** Its tools stand in requests; false: they are reached through `use_capability`. */
  readonly direct: boolean;
  /** Last lines it wrote to its standard error, secrets taken out. */
  readonly stderr?: string;
  /** Name, version as it introduced itself. */
  readonly identity?: string;
  /** What was left out and why, such as a tool whose schema cannot be used; one line each. */
  readonly problems: readonly string[];
}

export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  /** Slash command without the slash: `mcp__<server>__<prompt>`. */
  readonly command: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export interface ServerResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
}

/** Text with the notes that stand for what is no text. */
export interface ServerText {
  readonly text: string;
  readonly mimeType?: string;
}

export interface Servers {
  list(): readonly ServerView[];
  /** Told after anything in `list` has changed. Answers what ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Of servers that are ready. */
  prompts(): readonly ServerPrompt[];
  resources(): readonly ServerResource[];
  /** `words` fill the prompt's arguments in order, the last takes the rest. Throws `ToolError` saying what is missing. */
  prompt(command: string, words: readonly string[], signal: AbortSignal): Promise<string>;
  /** Starts a server that waits. Throws `ToolError`. */
  resource(server: string, uri: string, signal: AbortSignal): Promise<ServerText>;
  /** Starts it anew, whatever its state; settles when it is ready or has failed. False for an unknown name. */
  reconnect(server: string): Promise<boolean>;
  /** For this session only: ends it, and refuses its calls. */
  setEnabled(server: string, enabled: boolean): Promise<boolean>;
}
