/**
 * What the offline model says next. It is no recording: each step follows from what the tools answered in this turn,
 * so that a refusal, a failed command or another file content changes what it does.
 */
import type { Message } from "../../contract/message.ts";
import type { ModelRequest } from "../../contract/provider.ts";
import { argumentsObject } from "../tool_calls.ts";

export interface DemoStep {
  readonly reasoning?: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];
}

interface Done {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly result: string;
}

const SCRIPT = "slugify.sh";
const TEST = "test.sh";
const TEST_COMMAND = `sh ${TEST}`;
const FIX = "-e 's/^-//' ";
/** Without them the task cannot be played. */
const NEEDED = ["read_file", "bash", "edit_file"];
/** They keep books; the work goes on without them. */
const BOOKKEEPING: ReadonlySet<string> = new Set(["todo_write", "complete_step"]);

const STEPS = [
  { step_id: "find", content: "Find out why the tests fail", activeForm: "Finding out why the tests fail" },
  { step_id: "fix", content: `Fix ${SCRIPT}`, activeForm: `Fixing ${SCRIPT}` },
  { step_id: "check", content: "Run the tests again", activeForm: "Running the tests again" },
] as const;

export function nextStep(request: ModelRequest): DemoStep {
  const tools = new Set(request.tools.map((tool) => tool.name));
  const missing = NEEDED.filter((name) => !tools.has(name));
  if (missing.length > 0 || request.toolChoice === "none") {
    return say(
      `I am the offline demo model. I need the tools ${NEEDED.join(", ")}; missing: ${
        missing.join(", ") || "leave to call them"
      }.`,
    );
  }
  const done = doneInTurn(request.messages);
  const refused = done.find((call) => !BOOKKEEPING.has(call.name) && isRefusal(call));
  if (refused) return say(stopped(refused));

  const books = createBooks(tools, done);
  if (done.length === 0) return begin(request, books);
  const script = resultOf(done, "read_file", SCRIPT);
  const runs = done.filter((call) => call.name === "bash");
  if (script === undefined || runs.length === 0) return look(done);

  const edited = done.some((call) => call.name === "edit_file");
  const run = runs.at(-1)!.result;
  if (!edited) {
    if (!run.includes("FAIL")) {
      return { text: `The tests pass already:\n\n${run.trim()}\n\nThere is nothing to fix.`, calls: [] };
    }
    return repair(script, run, books);
  }
  if (runs.length === 1) {
    return {
      text: "Now the tests again.",
      calls: [
        ...books.signOff("fix", { kind: "diff", summary: "Leading dashes are removed.", paths: [SCRIPT] }),
        test(),
      ],
    };
  }
  if (run.includes("FAIL")) return say(`The tests still fail after my change, so I stop here:\n\n${run.trim()}`);
  const sign = books.signOff("check", { kind: "verification", summary: "All tests pass.", command: TEST_COMMAND });
  return sign.length > 0 ? { text: "All of them pass.", calls: sign } : say(summary(run));
}

function begin(request: ModelRequest, books: Books): DemoStep {
  const asked = request.messages.findLast((message) => message.role === "user" && !message.host_authored)?.content ??
    "";
  if (!asked.includes(TEST) && !asked.includes(SCRIPT)) {
    return say(
      "I am the offline demo model: no network, no key, no intelligence. I can only repair the demo project. " +
        "Set up a real model with `reasonix setup` to go on.",
    );
  }
  return {
    reasoning: "The tests say what is wrong. I read the script and its tests first, then run them.",
    text: "I'll read the script and its tests, then run them to see what fails.",
    calls: [...books.open(), read(SCRIPT), read(TEST)],
  };
}

function look(done: readonly Done[]): DemoStep {
  if (resultOf(done, "read_file", SCRIPT) === undefined) return { text: "", calls: [read(SCRIPT), read(TEST)] };
  return { text: "The script is short. Let me see what the tests say.", calls: [test()] };
}

function repair(script: string, run: string, books: Books): DemoStep {
  const line = script.split("\n").map((text) => text.replace(/^\s*\d+→/, "")).find((text) => text.includes("sed -e"));
  if (line === undefined) return say(`I expected a sed command in ${SCRIPT} and found none, so I change nothing.`);
  const failures = run.split("\n").filter((text) => text.startsWith("FAIL"));
  return {
    reasoning: "Every wrong slug begins with a dash: the script cuts the dash at the end and forgets the one in front.",
    text:
      `${failures.length} of the titles come out wrong, each with a dash in front:\n\n${
        fenced(failures.join("\n"))
      }\n\n` +
      `${SCRIPT} removes a dash at the end of the slug but not one at its beginning. One more expression for sed does it.`,
    calls: [
      ...books.signOff("find", { kind: "files", summary: "A leading dash is not removed.", paths: [SCRIPT, TEST] }),
      {
        name: "edit_file",
        args: { path: SCRIPT, old_string: line, new_string: line.replace("sed -e", `sed ${FIX}-e`) },
      },
    ],
  };
}

function summary(run: string): string {
  return [
    "The tests pass now:",
    "",
    fenced(run.trim()),
    "",
    `**Cause.** ${SCRIPT} turns every run of other characters into one dash. For a title that begins with a blank or a`,
    "quotation mark this dash stands in front, and only the dash at the end was cut off.",
    "",
    `**Change.** One line of ${SCRIPT}: sed now also removes a dash at the beginning.`,
    "",
    "This was the offline demo. `reasonix setup` connects a real model.",
  ].join("\n");
}

const fenced = (text: string): string => "```\n" + text + "\n```";
const say = (text: string): DemoStep => ({ text, calls: [] });
const read = (path: string) => ({ name: "read_file", args: { path } });
const test = () => ({ name: "bash", args: { command: TEST_COMMAND } });

function stopped(call: Done): string {
  const what = call.result.startsWith("blocked:") ? "was refused" : "failed";
  return `\`${call.name}\` ${what}, so I stop here and have changed nothing more:\n\n${fenced(call.result.trim())}`;
}

/** A command that ran and failed is an answer of the tests, not of the host. */
function isRefusal(call: Done): boolean {
  if (call.result.startsWith("blocked:")) return true;
  return call.result.startsWith("error:") && !(call.name === "bash" && call.result.includes("FAIL"));
}

const resultOf = (done: readonly Done[], name: string, path: string): string | undefined =>
  done.find((call) => call.name === name && call.args.path === path)?.result;

/** Calls of this turn that were answered. */
function doneInTurn(messages: readonly Message[]): readonly Done[] {
  const start = messages.findLastIndex((message) => message.role === "user" && !message.host_authored);
  const turn = messages.slice(start + 1);
  return turn.flatMap((message) => message.tool_calls ?? []).flatMap((call) => {
    const answer = turn.find((message) => message.role === "tool" && message.tool_call_id === call.id);
    return answer
      ? [{ name: call.name, args: argumentsObject(call.arguments) ?? {}, result: answer.content ?? "" }]
      : [];
  });
}

type StepId = (typeof STEPS)[number]["step_id"];

interface Books {
  open(): DemoStep["calls"];
  /** Once for each step, and only as long as the host takes it. */
  signOff(step: StepId, evidence: Readonly<Record<string, unknown>>): DemoStep["calls"];
}

/** The task list: signed off by receipts where the host wants them, else by the list itself. */
function createBooks(tools: ReadonlySet<string>, done: readonly Done[]): Books {
  const entries = done.filter((call) => BOOKKEEPING.has(call.name));
  const usable = tools.has("todo_write") && entries.every((call) => !/^(?:error|blocked):/.test(call.result));
  // The list is opened by one call; each later call signs off one step.
  const signed = entries.length - 1;
  const list = (completed: number) => ({
    name: "todo_write",
    args: {
      todos: STEPS.map((step, at) => ({
        ...step,
        status: at < completed ? "completed" : at === completed ? "in_progress" : "pending",
      })),
    },
  });
  return {
    open: () => usable ? [list(0)] : [],
    signOff(step, evidence) {
      const at = STEPS.findIndex((one) => one.step_id === step);
      if (!usable || at !== signed) return [];
      const receipt = { step_id: step, result: evidence.summary, evidence: [evidence] };
      return [tools.has("complete_step") ? { name: "complete_step", args: receipt } : list(at + 1)];
    },
  };
}
