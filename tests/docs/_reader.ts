/** Somebody who follows a page to the letter: a home of their own, a model on loopback, and `reasonix` on the path. */
import { type Answer, type ChatRequest, type Endpoint, startEndpoint } from "../../scripts/endpoint.ts";
import { ROOT } from "../architecture/tree.ts";
import { Bed, localProvider, program } from "../support/program.ts";
import { commandLineFault } from "./_command_line.ts";
import type { MarkdownPage } from "./_markdown.ts";

/** The model of the pages. It knows the one task the guide gives, and says "Done." to everything else. */
export function guideModel({ messages }: ChatRequest): Answer {
  const isTask = messages.findLast(({ role }) => role === "user")?.content?.includes("mend add.sh") ?? false;
  if (!isTask) return { text: "Done." };
  const results = messages.slice(messages.findLastIndex(({ role }) => role === "user"))
    .filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
  if (results.length === 0) return { tool: "edit_file", args: { path: "add.sh", old_string: "-", new_string: "+" } };
  if (results.length === 1 && !results[0]!.startsWith("blocked:")) {
    return { tool: "bash", args: { command: "sh test.sh" } };
  }
  return { text: results.length === 2 ? "It was a minus. Now the test says: right." : "I may not change it." };
}

export class Reader implements AsyncDisposable {
  readonly bed: Bed;
  readonly endpoint: Endpoint;

  private constructor(bed: Bed, endpoint: Endpoint) {
    this.bed = bed;
    this.endpoint = endpoint;
  }

  static async create(): Promise<Reader> {
    const endpoint = startEndpoint(guideModel);
    const bed = await Bed.create({
      config: localProvider(endpoint.url),
      keys: "LOCAL_KEY=sk-local-0123456789abcdef\n",
    });
    await Deno.mkdir(`${bed.base}/bin`);
    const words = program.map((word) => `'${word}'`).join(" ");
    await Deno.writeTextFile(`${bed.base}/bin/reasonix`, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    return new Reader(bed, endpoint);
  }

  get env(): Record<string, string> {
    return this.bed.env({ PATH: `${this.bed.base}/bin:${Deno.env.get("PATH") ?? ""}`, NO_COLOR: "1" });
  }

  /** Runs a script of bash from the workspace on. */
  async shell(script: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    const { code, stdout, stderr } = await new Deno.Command("bash", {
      args: ["--norc", "-c", script],
      cwd: this.bed.workspace,
      clearEnv: true,
      env: this.env,
      stdin: "null",
    }).output();
    const text = new TextDecoder();
    return { code, out: text.decode(stdout), err: text.decode(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endpoint.stop();
    await this.bed[Symbol.asyncDispose]();
  }
}

/** Every block of shell of a page, one after the other, as one script that ends at the first command that goes wrong. */
export function scriptOf({ blocks, path }: MarkdownPage): { readonly script: string; readonly faults: string[] } {
  const faults: string[] = [];
  const lines = blocks.filter(({ language }) => language === "sh").flatMap(({ text, line }) =>
    text.trimEnd().split("\n").map((command, index) => {
      const place = `${path}:${line + 1 + index}`;
      const runnable = toRunnable(command);
      if ("fault" in runnable) {
        faults.push(`${place}: ${runnable.fault}`);
        return ":";
      }
      // A comment may promise another end than 0.
      const expected = /# exits (\d)/.exec(command)?.[1] ?? "0";
      const told = `${place}: ${command}`.replaceAll("'", "'\\''");
      return `${runnable.command}\ncode=$?\nif [ $code != ${expected} ]; then echo '${told}' "ended with $code" >&2; exit 99; fi`;
    })
  );
  return { script: lines.join("\n"), faults };
}

type Runnable = { readonly command: string } | { readonly fault: string };

const version = /^DENO_VERSION=(\S+)$/m.exec(Deno.readTextFileSync(`${ROOT}.ci/run`))![1]!;
const tasks: Record<string, unknown> = JSON.parse(Deno.readTextFileSync(ROOT + "deno.json")).tasks;
const targets = Deno.readTextFileSync(`${ROOT}scripts/build.ts`).match(/(?<=name: ")\w+-\w+(?=")/g)!;

/** What cannot be run here is checked, and stands as `:` in the script. */
function toRunnable(line: string): Runnable {
  const command = line.replace(/\s+# .*$/, "");
  const task = /^(?:npx -y deno@(\S+)|deno) task (\S+)(?: (\S+))?$/.exec(command);
  if (task) {
    const [, pinned = version, name = "", argument] = task;
    if (pinned !== version) return { fault: `Deno ${pinned} is not the version of the project, ${version}` };
    if (!(name in tasks)) return { fault: `no task ${name}` };
    if (name === "build" && argument !== undefined && !targets.includes(argument)) {
      return { fault: `no target ${argument}` };
    }
    return { command: ":" };
  }
  const installed = /^install dist\/reasonix-(\S+) \S+\/reasonix$/.exec(command)?.[1];
  if (installed !== undefined) {
    return targets.includes(installed) ? { command: ":" } : { fault: `no target ${installed}` };
  }
  const compiled = /^deno compile --output (\S+) (\S+)\/(\S+\.ts)$/.exec(command);
  if (compiled) {
    // A copy below the workspace, as an executable would lie there: inside the sandbox the project need not be seen.
    const [, output, folder, entry] = compiled;
    const run = `#!/bin/sh\\nexec ${Deno.execPath()} run -A --no-check "$PWD/.compiled/${entry}"\\n`;
    return { command: `cp -r '${ROOT}${folder}' .compiled && printf '${run}' > ${output} && chmod +x ${output}` };
  }
  if (/^reasonix( |$)/.test(command)) {
    const fault = commandLineFault(command);
    if (fault !== undefined) return { fault };
    // What would go to the net.
    return { command: /^reasonix (?:upgrade|mcp (?:browse|install|auth))\b/.test(command) ? ":" : command };
  }
  return /^(?:mkdir|cd|echo|cat|source|test) /.test(command)
    ? { command }
    : { fault: `no rule says how to try: ${command}` };
}
