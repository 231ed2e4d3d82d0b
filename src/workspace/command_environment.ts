/**
 * What a command finds in its environment: everything inherited but the provider keys, then the fixed answers that keep
 * programs from asking a person, then the caller's own. Pure.
 */

/**
 * An editor must fail, never succeed without a change: an interactive rebase that "saved" its list would rewrite
 * history. Git runs the text through a shell and adds the file name.
 */
const GIT_EDITOR =
  `echo "no editor here: give the text as an option (git commit -m, git commit --amend --no-edit, git rebase without -i)" >&2; false`;

const FIXED: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  TERM: "dumb",
  NO_COLOR: "1",
  GIT_EDITOR,
  GIT_SEQUENCE_EDITOR: GIT_EDITOR,
  EDITOR: "false",
  VISUAL: "false",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS_REQUIRE: "never",
};

/** Would undo `NO_COLOR` or, for the last, hand the parent's shell options down. */
const DROPPED = new Set(["FORCE_COLOR", "CLICOLOR_FORCE", "SHELLOPTS"]);

/** Carries the identity of the call to every process it starts, so that none escapes by leaving its session. */
export const MARKER = "REASONIX_CALL";

/** What every command inherits. `secretNames`: names of saved provider keys. */
export function inheritedEnvironment(
  inherited: Readonly<Record<string, string>>,
  secretNames: readonly string[],
): Readonly<Record<string, string>> {
  const secret = new Set(secretNames);
  const kept = Object.entries(inherited).filter(([name]) => !secret.has(name) && !DROPPED.has(name));
  return { ...Object.fromEntries(kept), ...FIXED };
}

export interface EnvironmentParts {
  /** Of `inheritedEnvironment`. */
  readonly inherited: Readonly<Record<string, string>>;
  /** Private temporary folder; undefined leaves the inherited one. */
  readonly temp?: string | undefined;
  /** Set over everything but the marker. */
  readonly own?: Readonly<Record<string, string>> | undefined;
  readonly callId: string;
}

export function commandEnvironment({ inherited, temp, own = {}, callId }: EnvironmentParts): Record<string, string> {
  const env: Record<string, string> = { ...inherited };
  if (temp !== undefined) env.TMPDIR = env.TMP = env.TEMP = temp;
  for (const [name, value] of Object.entries(own)) {
    if (!name.includes("=") && !name.includes("\0") && !value.includes("\0")) env[name] = value;
  }
  if (env.BASH_ENV?.startsWith("~/") && env.HOME) env.BASH_ENV = env.HOME + env.BASH_ENV.slice(1);
  const outer = inherited[MARKER];
  env[MARKER] = outer ? `${outer}/${callId}` : callId;
  return env;
}

/**
 * Variables through which the system's loader runs code of their choosing in every program. What stands outside a wall
 * must not start with them, since commands may write where they point: they are words before the command instead.
 */
export function behindWall(env: Readonly<Record<string, string>>): {
  readonly outside: Record<string, string>;
  readonly words: readonly string[];
} {
  const loader = Object.entries(env).filter(([name]) => name.startsWith("LD_"));
  if (loader.length === 0) return { outside: env, words: [] };
  return {
    outside: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("LD_"))),
    words: ["/usr/bin/env", ...loader.map(([name, value]) => `${name}=${value}`)],
  };
}
