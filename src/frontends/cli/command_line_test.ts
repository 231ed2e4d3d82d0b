import assert from "node:assert/strict";
import { parseCommandLine } from "./command_line.ts";

/** What a line is taken for, in one text. */
function taken(line: string): string {
  try {
    const parsed = parseCommandLine(line.split(" ").filter((word) => word !== ""));
    switch (parsed.kind) {
      case "command":
        return [parsed.command.name, ...parsed.argv].join(" ");
      case "interactive":
        return ["(screen)", ...parsed.argv].join(" ");
      case "unknown":
        return `? ${parsed.word}`;
      default:
        return `(${parsed.kind})`;
    }
  } catch (error) {
    return `! ${(error as Error).message.split(";")[0]}`;
  }
}

const rows: Record<string, string> = {
  "": "(screen)",
  "-v": "(version)",
  "--help": "(help)",
  "-v --json": "version --json",
  "--version now": "version now",
  "--help run": "help run",
  "-h --yolo": "(help)",
  "--yolo --help": "(help)",
  "--model m -h": "(help)",
  "frobnicate": "? frobnicate",
  "--inline": "? --inline",
  "run fix --yolo bug": "run fix --yolo bug",
  "--yolo run the tests": "run the tests --yolo",
  "--model m run x": "run x --model m",
  "-p hi": "run -p hi",
  "--print=true hi": "run --print=true hi",
  "-p --output-format json hi": "run -p --output-format json hi",
  "--metrics m.json -p hi": "run --metrics m.json -p hi",
  "-p --auto run the tests": "run the tests -p --auto",
  "-p doctor": "run -p doctor",
  "-p --resume ref go": "run -p --resume ref go",
  "-p": "run -p",
  "--yolo": "(screen) --yolo",
  "--model -p hi": "run --model -p hi",
  "--continue": "(screen) --continue",
  "--resume": "(screen) --resume",
  "--metrics m.json hi": "! --metrics stands behind the command: reasonix run --metrics …",
  "--yolo doctor": '! flags of "doctor" stand behind it: reasonix doctor --yolo',
  "--nonsense": "! unknown flag --nonsense",
};

for (const [line, expected] of Object.entries(rows)) {
  Deno.test(`"reasonix ${line}" means: ${expected}`, () => assert.equal(taken(line), expected));
}
