/** A short run of everyday work against an endpoint on loopback: what a start and the first rounds load and call. */
import { type Answer, makePlace, startEndpoint } from "../../endpoint.ts";

const ANSWERS: readonly Answer[] = [
  { tool: "read_file", args: { path: "greeting.txt" } },
  { tool: "edit_file", args: { path: "greeting.txt", old_string: "hello", new_string: "good day" } },
  { tool: "bash", args: { command: "cat greeting.txt" } },
  { text: "It says good day." },
];

export interface WarmRunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Called when the first request has arrived. */
  readonly requested?: () => void;
}

/** Answers what the program printed. Throws when the run did not do its work. */
export async function warmRun(program: string, { env, requested }: WarmRunOptions = {}): Promise<string> {
  let requests = 0;
  const endpoint = startEndpoint(() => {
    if (requests === 0) requested?.();
    return ANSWERS[Math.min(requests++, ANSWERS.length - 1)]!;
  });
  const place = await makePlace(endpoint);
  try {
    const file = `${place.workspace}/greeting.txt`;
    await Deno.writeTextFile(file, "hello\n");
    const run = { cwd: place.workspace, env: { ...place.env, ...env } };
    const out = await tryProgram(program, ["run", "--auto", "-p", "greet better"], run);
    const text = await Deno.readTextFile(file);
    if (requests !== ANSWERS.length || text !== "good day\n") {
      throw new Error(`error: ${requests} requests of a run, and its file holds ${JSON.stringify(text)}`);
    }
    return out;
  } finally {
    await endpoint.stop();
    await place.remove();
  }
}

/** Answers what the program printed. Throws when it failed. */
export async function tryProgram(
  program: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd?: string },
): Promise<string> {
  const output = await new Deno.Command(program, { args: [...args], clearEnv: true, stdin: "null", ...options })
    .output();
  const [out, err] = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  if (!output.success) throw new Error(`error: "${args.join(" ")}" ended with ${output.code}\n${out}${err}`);
  return out;
}
