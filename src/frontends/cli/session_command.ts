/**
 * `session list|show|status|recovery --json`: sessions as other programs read them. Every answer is one JSON object on
 * standard output, failures included: 2 for a wrong call, 1 for a state that does not fit it.
 */
import { inspectProject, loadSessionForms, sessionsOf } from "../../assembly/mod.ts";
import { join } from "../../lib/path.ts";
import { toJsonLine } from "../../lib/terminal_text.ts";
import { type CommandContext, findCommand } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { isFlag, type ParsedFlags, parseFlags, textOf, UsageError } from "./flags.ts";

const WORDS = ["list", "show", "status", "recovery"] as const;
type Word = (typeof WORDS)[number];

export async function run({ streams, argv }: CommandContext): Promise<number> {
  const { out } = streams;
  if (!argv.includes("--json")) {
    throw new UsageError(
      "usage: reasonix session list|show ID|status ID|recovery [ID] --json\n" +
        "This is for programs. For you: `reasonix --resume` lets you choose a session, `reasonix doctor sessions` lists them.",
    );
  }
  const named = WORDS.find((name) => argv.find((word) => !isFlag(word)) === name);
  const command = named ? `session.${named}` as const : "session";
  const refuse = (code: "unknown_command" | "invalid_argument", message: string): number => {
    out.line(toJsonLine({ schema_version: 1, command, error: { code, message } }));
    return EXIT.usage;
  };
  let parsed: ParsedFlags;
  try {
    parsed = parseFlags(argv, findCommand("session")!.flags);
  } catch (error) {
    return refuse("invalid_argument", (error as Error).message);
  }
  const [word, ...operands] = parsed.words;
  const known = WORDS.find((name) => name === word);
  if (known === undefined) {
    return refuse("unknown_command", `session knows ${WORDS.join(", ")}; got "${word ?? ""}"`);
  }
  const wrong = problemOf(known, operands, parsed);
  if (wrong !== undefined) return refuse("invalid_argument", wrong);
  try {
    const sessions = await storeOf(parsed);
    out.line(toJsonLine(await answer(known, operands[0], sessions)));
    return EXIT.success;
  } catch (error) {
    const isArgument = (error as { code?: unknown }).code === "workspace.unusable";
    if (isArgument) return refuse("invalid_argument", (error as Error).message);
    const { toSessionError } = await loadSessionForms();
    out.line(toJsonLine(toSessionError(`session.${known}`, error)));
    return EXIT.failure;
  }
}

function problemOf(word: Word, operands: readonly string[], { values }: ParsedFlags): string | undefined {
  if (values.has("dir") && values.has("project-root")) return "--dir and --project-root exclude each other";
  const most = word === "list" ? 0 : 1;
  if (operands.length > most) return `session ${word} takes ${most === 0 ? "no operand" : "one session id"}`;
  if ((word === "show" || word === "status") && operands[0] === undefined) return `session ${word} needs a session id`;
  return undefined;
}

/** `--dir` names a folder of sessions, `--project-root` a workspace; neither: the current one. */
export async function storeOf(parsed: ParsedFlags) {
  const { paths, root } = await inspectProject({ directory: textOf(parsed, "project-root") });
  const directory = textOf(parsed, "dir");
  return sessionsOf({
    paths,
    root,
    ...(directory === undefined ? {} : { directory: join(Deno.cwd(), directory) }),
    program: "reasonix session",
  });
}

async function answer(word: Word, ref: string | undefined, sessions: Awaited<ReturnType<typeof storeOf>>) {
  const forms = await loadSessionForms();
  switch (word) {
    case "list":
      return forms.toSessionList(await sessions.inspectAll());
    case "show":
      return forms.toSessionShow(await sessions.inspect(ref!));
    case "status":
      return forms.toSessionStatus(await sessions.inspect(ref!));
    case "recovery":
      return forms.toSessionRecovery(
        ref === undefined ? await sessions.inspectAll() : [await sessions.inspect(ref)],
      );
  }
}
