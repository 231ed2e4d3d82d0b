import assert from "node:assert/strict";
import { parseCommandLine } from "./command_line.ts";
import { COMMANDS, RUN_FLAGS } from "./commands.ts";
import { candidates } from "./completion.ts";
import { parseFlags, UsageError } from "./flags.ts";
import { toRunOptions } from "./run_options.ts";
import { usageText } from "./usage.ts";

const runOptions = (...argv: string[]) => toRunOptions(parseFlags(argv, RUN_FLAGS));
const shape = (...argv: string[]) => {
  const line = parseCommandLine(argv);
  return line.kind === "command" ? [line.command.name, ...line.argv] : [line.kind];
};

Deno.test("flags may stand between the words of a task", () => {
  const parsed = parseFlags(["fix", "--yolo", "bug", "--model=a/b"], RUN_FLAGS);
  assert.deepEqual(parsed.words, ["fix", "bug"]);
  assert.deepEqual([...parsed.values], [["yolo", true], ["model", "a/b"]]);
});

Deno.test("-- ends the flags, - alone and negative numbers are words", () => {
  assert.deepEqual(parseFlags(["-", "-1", "--", "--yolo"], RUN_FLAGS).words, ["-", "-1", "--yolo"]);
});

Deno.test("repeatable flags add up and aliases mean the same", () => {
  const parsed = parseFlags(["--add-dir", "a", "--add-dir", "b", "--allowedTools", "Bash(x)"], RUN_FLAGS);
  assert.deepEqual(parsed.values.get("add-dir"), ["a", "b"]);
  assert.deepEqual(parsed.values.get("allowed-tools"), ["Bash(x)"]);
});

Deno.test("a flag before run moves behind it; the first word that is no flag is the verb", () => {
  assert.deepEqual(shape("--yolo", "run", "the", "tests"), ["run", "the", "tests", "--yolo"]);
  assert.deepEqual(shape("--model", "m", "run", "x"), ["run", "x", "--model", "m"]);
});

Deno.test("-p runs the rest as a task", () => {
  assert.deepEqual(shape("-p", "say", "hi"), ["run", "-p", "say", "hi"]);
  assert.deepEqual(shape("-p", "run", "say"), ["run", "say", "-p"]);
});

Deno.test("flags of run alone do not stand in front", () => {
  assert.throws(() => parseCommandLine(["--output-format", "json", "run", "x"]), /stands behind the command/);
});

Deno.test("wrong command lines say what is wrong", () => {
  const wrong: [argv: string[], message: RegExp][] = [
    [["--modle", "x"], /unknown flag --modle; did you mean --model\?/],
    [["--model"], /--model needs a value: --model NAME/],
    [["--yolo=maybe"], /--yolo takes no value/],
    [["--output-format", "xml"], /--output-format takes one of text, json, stream-json; got "xml"/],
    [["--events-jsonl", "--output-format", "json"], /--events-jsonl cannot be combined with --output-format/],
    [["--auto", "--yolo"], /--auto and --yolo both name a permission mode/],
    [["--auto", "--permission-mode", "ask"], /--permission-mode and --auto both/],
    [["--permission-mode", "plan"], /--permission-mode plan requires an interactive session/],
    [["--permission-mode", "wild"], /got "wild"/],
    [["--copy"], /--copy requires --resume or --continue/],
    [["--max-steps", "-3"], /--max-steps needs a value|whole number/],
    [["--max-steps", "many"], /whole number from 0; got "many"/],
    [["--ablate", "everything"], /--ablate knows .*got "everything"/],
  ];
  for (const [argv, message] of wrong) {
    assert.throws(
      () => runOptions(...argv),
      (error) => error instanceof UsageError && message.test(error.message),
      argv.join(" "),
    );
  }
});

Deno.test("permission modes are read without regard to case, old names included", () => {
  const posture = (mode: string) => runOptions("--permission-mode", mode).posture;
  assert.deepEqual(
    ["Auto", "workspace-write", "ACCEPTEDITS", "dontAsk", "read-only", "danger-full-access", "manual"].map(posture),
    [
      "auto",
      "auto",
      "accept_edits",
      "dont_ask",
      "read_only",
      "yolo",
      "ask",
    ],
  );
  assert.equal(runOptions("x").posture, undefined);
});

Deno.test("--resume wins over --continue", () => {
  assert.deepEqual(runOptions("-c", "--resume", "abc").resume, { ref: "abc" });
  assert.equal(runOptions("-c").resume, "latest");
});

Deno.test("completion offers commands, then the flags and values of the command", () => {
  assert.deepEqual(candidates(["reasonix", "ve"], 1), ["version"]);
  assert.deepEqual(candidates(["reasonix", "run", "--output"], 2), ["--output-format"]);
  assert.deepEqual(candidates(["reasonix", "run", "--output-format", "s"], 3), ["stream-json"]);
  assert.deepEqual(candidates(["reasonix", "config", "comp"], 2), ["compact-ratio"]);
  assert.deepEqual(candidates(["reasonix", "run", "fix"], 2), []);
});

Deno.test("every command that is not hidden stands in the usage text", () => {
  const text = usageText();
  for (const command of COMMANDS) assert.ok(command.hidden || text.includes(`  ${command.name} `), command.name);
});
