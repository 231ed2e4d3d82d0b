/**
 * `/rewind` and `/compact`. What would change is listed before it happens; the choice carries a mark of what was listed,
 * so that nothing else is done in its name.
 */
import type { CodePlan, Coverage, GapReason } from "../../contract/checkpoint.ts";
import { sha256 } from "../../lib/bytes.ts";
import { clip } from "../../lib/clip.ts";
import { isAbsolute, join, normalize, relativeTo } from "../../lib/path.ts";
import { plural } from "../../lib/plural.ts";
import type { CommandAnswer, CommandRow } from "../command.ts";
import { findTurn, listTurns, planRewind, type RewindScope } from "../rewind.ts";
import {
  type BuiltIn,
  change,
  type CommandContext,
  done,
  screen,
  splitFirst,
  toMinute,
  toNumber,
  WrongArgument,
} from "./built_in.ts";

export const HISTORY: readonly BuiltIn[] = [
  {
    name: "compact",
    hint: "[FOCUS]",
    summary: "Fold the older part of the conversation into a summary now",
    details: "FOCUS says what the summary must not lose.",
    run: (focus, context) => change(context, { kind: "compact", ...(focus === "" ? {} : { focus }) }),
  },
  {
    name: "rewind",
    hint: "[TURN [both|conversation|code|fork|after|before] [FILE]] | undo",
    summary: "Go back to before a turn: files, conversation or both",
    details: [
      "- `/rewind` lists the turns, `/rewind 3` the choices for one.",
      "- `both`, `conversation`, `code`: what goes back. Files that somebody changed since are left as they are and named.",
      "- `code FILE`: only that file, or what lies below that folder.",
      "- `fork`: a branch that begins before the turn. `after`, `before`: fold what comes from, or before, the turn.",
      "- `undo` takes the last rewind back, until work goes on.",
      "",
      "Only files that the agent itself touched are restored: never commits, branches, or files of yours. What commands and " +
      "servers wrote is not known beforehand; turns in which they ran are marked `partial`.",
    ].join("\n"),
    run: async (argument, context) => {
      const { first, rest } = splitFirst(argument);
      if (first === "") return await chooseTurn(context);
      if (first === "undo" && rest === "") return await change(context, { kind: "undo_rewind" });
      const turn = toNumber(first);
      if (turn === undefined) throw new WrongArgument(`"${first}" is no turn`);
      const { first: scope, rest: more } = splitFirst(rest);
      switch (scope) {
        case "":
          return chooseScope(turn, context);
        case "both":
        case "conversation":
        case "code":
          return await back({ turn, scope, more }, context);
        case "fork":
          return await fork(turn, more, context);
        case "after":
        case "before":
          return await change(context, {
            kind: "compact",
            part: { turn, direction: scope },
            ...(more === "" ? {} : { focus: more }),
          });
        default:
          throw new WrongArgument(`"${scope}" is not something to go back with`);
      }
    },
  },
];

async function chooseTurn(context: CommandContext): Promise<CommandAnswer> {
  const runtime = context.runtime();
  const turns = await listTurns(runtime);
  const undo = await runtime.checkpoints.undoable();
  const rows = turns.map(({ number, at, prompt, files, coverage }): CommandRow => ({
    label: `${number}  ${oneLine(prompt)}`,
    detail: [
      ...(at > 0 ? [toMinute(at)] : []),
      ...(files > 0 ? [plural(files, "file")] : []),
      ...(coverage === "complete" ? [] : [COVERAGE[coverage]]),
    ].join("  "),
    actions: {
      enter: { label: "choose", line: `/rewind ${number}` },
      b: { label: "both", line: `/rewind ${number} both` },
      c: { label: "conversation", line: `/rewind ${number} conversation` },
      d: { label: "code", line: `/rewind ${number} code` },
      f: { label: "fork", line: `/rewind ${number} fork` },
      s: { label: "summarise after", line: `/rewind ${number} after` },
      u: { label: "summarise before", line: `/rewind ${number} before` },
    },
  })).reverse();
  if (undo) {
    rows.unshift({
      label: "Take the last rewind back",
      detail: [
        ...(undo.conversation ? ["conversation"] : []),
        ...(undo.files > 0 ? [plural(undo.files, "file")] : []),
      ].join(", "),
      actions: { enter: { label: "take back", line: "/rewind undo" } },
    });
  }
  return screen("Go back to before", rows, "no turns yet");
}

function chooseScope(turn: number, { runtime }: CommandContext): CommandAnswer {
  const { prompt } = findTurn(runtime(), turn);
  const row = (key: string, label: string): CommandRow => ({
    label,
    actions: { enter: { label: "do", line: `/rewind ${turn} ${key}` } },
  });
  const rows = [
    row("both", "Files and conversation"),
    row("conversation", "Conversation only"),
    row("code", "Files only"),
    row("fork", "Fork: a branch from here"),
    row("after", "Summarise from here on"),
    row("before", "Summarise what comes before"),
  ];
  return {
    kind: "screen",
    screen: { title: `Before turn ${turn}: ${oneLine(prompt)}`, rows, empty: "" },
    text: rows.map(({ label, actions }) => `- ${label}: \`${actions.enter!.line}\``).join("\n"),
  };
}

interface Order {
  readonly turn: number;
  readonly scope: RewindScope;
  /** A path with `code`, and `yes` or `force` with what was listed. */
  readonly more: string;
}

async function back({ turn, scope, more }: Order, context: CommandContext): Promise<CommandAnswer> {
  const [, named = "", word, listed] = /^(.*?)(?:(?:^|\s)--(yes|force)(?:=([0-9a-f]+))?)?$/.exec(more)!;
  const file = named.trim();
  if (file !== "" && scope !== "code") throw new WrongArgument(`a file goes with code alone, not with ${scope}`);
  const path = file === "" ? undefined : absolute(file, context.host.root);
  const order = { turn, scope, ...(path === undefined ? {} : { path }) };
  const { controller } = context;
  if (controller.busy) return { kind: "error", text: "a turn is running; stop it or wait for its end" };
  const plan = await planRewind(context.runtime(), order);
  const mark = (await sha256(JSON.stringify([plan.changes, plan.conflicts]))).slice(0, 12);
  const isListed = word !== undefined && (listed === undefined || listed === mark);
  const needsLook = plan.changes.length > 0 || plan.conflicts.length > 0;
  if (needsLook && !isListed) {
    return listPlan({ turn, scope, file, mark, plan }, context, { again: word !== undefined });
  }
  if (scope === "code" && plan.changes.length === 0 && plan.conflicts.length === 0) {
    return done("No file differs from what it was before that turn.");
  }
  const { prompt } = findTurn(context.runtime(), turn);
  return await change(
    context,
    { kind: "rewind", ...order, ...(word === "force" ? { force: true } : {}) },
    () => scope === "code" ? { kind: "done" } : { kind: "done", draft: prompt },
  );
}

interface Listed {
  readonly turn: number;
  readonly scope: RewindScope;
  readonly file: string;
  readonly mark: string;
  readonly plan: CodePlan;
}

const WORDS = {
  restore: "restore",
  create: "bring back",
  remove: "remove",
  mode: "set the mode of",
  create_folder: "make folder",
  remove_folder: "remove folder, if empty,",
} as const;

function inWords(code: string): string {
  return code.replaceAll("_", " ");
}

/** Why not everything may come back: what is not among the saved files. */
const GAPS: Readonly<Record<GapReason, string>> = {
  bash_side_effect: "what commands wrote",
  hook_write: "what hooks wrote",
  mcp_external: "what this tool changed:",
  background_writer_cross_turn: "what a command in the background wrote",
  outside_workspace: "outside of the workspace:",
  symlink: "behind a link:",
  hardlink: "under several names:",
  unreadable: "not readable:",
  oversized: "too large to be saved:",
  legacy_unverified: "saved by an older version:",
  capture_failed: "could not be saved:",
  expired_file_payload: "no longer kept:",
  workspace_claim_yielded: "given over to another session:",
};

const COVERAGE: Readonly<Record<Exclude<Coverage, "complete">, string>> = {
  partial: "not everything is saved",
  none: "nothing is saved",
  legacy: "saved by an older version",
};

function listPlan(
  { turn, scope, file, mark, plan }: Listed,
  { host }: CommandContext,
  { again }: { readonly again: boolean },
): CommandAnswer {
  const line = (word: string) => `/rewind ${turn} ${scope}${file === "" ? "" : ` ${file}`} --${word}=${mark}`;
  const name = (path: string) => relativeTo(path, host.root);
  const nothing: CommandRow["actions"] = {};
  const forced = plan.conflicts.filter(({ canForce }) => canForce).length;
  const rows: CommandRow[] = [
    {
      label: scope === "code" ? "Do it" : "Do it, and cut the conversation before that turn",
      detail: again ? "files have changed since they were listed" : "",
      actions: { enter: { label: "go back", line: line("yes") } },
    },
    ...(forced === 0 ? [] : [{
      label: `Do it, also over ${forced === 1 ? "1 file that was" : `${forced} files that were`} changed since`,
      detail: "what they hold now is saved first",
      actions: { enter: { label: "go back", line: line("force") } },
    }]),
    ...plan.changes.map(({ path, action }) => ({ label: `  ${WORDS[action]} ${name(path)}`, actions: nothing })),
    ...plan.conflicts.map(({ kind, path, text }) => ({
      label: `  ${path === undefined ? "mind" : "leave"} ${path === undefined ? text : name(path)}`,
      detail: path === undefined ? inWords(kind) : `${inWords(kind)}: ${text}`,
      actions: nothing,
    })),
    ...plan.gaps.map(({ reason, subject }) => ({
      label: `  not saved: ${GAPS[reason]}${subject === undefined ? "" : ` ${name(subject)}`}`.replace(/:$/, ""),
      actions: nothing,
    })),
  ];
  const title = `Back to before turn ${turn}`;
  const list = rows.slice(forced === 0 ? 1 : 2).map(({ label, detail }) =>
    `- ${label.trim()}${detail ? ` (${detail})` : ""}`
  );
  const ways = [
    `To do it: \`${line("yes")}\``,
    ...(forced === 0 ? [] : [`Also over changed files: \`${line("force")}\``]),
  ];
  return { kind: "screen", screen: { title, rows, empty: "" }, text: [`${title}:`, ...list, "", ...ways].join("\n") };
}

async function fork(turn: number, title: string, context: CommandContext): Promise<CommandAnswer> {
  const { prompt } = findTurn(context.runtime(), turn);
  return await change(
    context,
    { kind: "branch", turn, ...(title === "" ? {} : { title }) },
    () => ({ kind: "done", text: `This is branch ${title || context.controller.sessionId} now.`, draft: prompt }),
  );
}

function absolute(path: string, root: string): string {
  return isAbsolute(path) ? normalize(path) : join(root, path);
}

function oneLine(prompt: string): string {
  return clip(prompt.replace(/\s+/g, " ").trim(), 80);
}
