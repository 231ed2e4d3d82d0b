/** Starts a program as the leader of a process group of its own, so that its tree can be ended, with just the environment given. */

interface LeaderOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly stdin: "piped" | "null";
  readonly stderr: "piped" | "null";
}

/** Throws what the system says when it does not start. */
export function spawnLeader(argv: readonly string[], options: LeaderOptions): Deno.ChildProcess {
  const [program = "", ...args] = argv;
  return new Deno.Command(program, {
    ...options,
    args,
    clearEnv: true,
    stdout: "piped",
    detached: Deno.build.os !== "windows",
  }).spawn();
}
