/** Who lives that a step has started. Linux alone tells: by a mark in the environment, or among the words of a command. */

export interface Living {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Variable whose value all descendants of a step's program inherit. */
export const MARK = "CHAOS_STEP";

export function livingOf(step: string): Living[] {
  if (Deno.build.os !== "linux") return [];
  const found: Living[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === Deno.pid) continue;
    try {
      const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
      if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))) continue;
      const command = Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
      const marked = Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0").includes(`${MARK}=${step}`);
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      if (marked || command.includes(`: ${step}`)) found.push({ pid, parent, command: command.slice(0, 160) });
    } catch {
      // Gone meanwhile.
    }
  }
  return found;
}

/** Those that still live after a grace. */
export async function leftOf(step: string, graceMs: number): Promise<Living[]> {
  const end = performance.now() + graceMs;
  for (;;) {
    const living = livingOf(step);
    if (living.length === 0 || performance.now() > end) return living;
    await new Promise((done) => setTimeout(done, 60));
  }
}

/** Ends what a step has left, one by one. */
export function endAll(living: readonly Living[]): void {
  for (const { pid } of living) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
}
