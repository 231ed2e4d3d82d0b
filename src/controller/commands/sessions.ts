/** Commands about which conversation is open: `/new`, `/clear`, `/resume`, `/switch`, `/tree`, `/branch`, `/rename`. */
import { plural } from "../../lib/plural.ts";
import type { CommandAnswer, CommandRow } from "../command.ts";
import {
  type BuiltIn,
  change,
  type CommandContext,
  done,
  screen,
  splitFirst,
  text,
  toMinute,
  toNumber,
  WrongArgument,
} from "./built_in.ts";
import { turnsOf } from "../rewind.ts";
import type { SessionRow } from "./host.ts";

export const SESSIONS: readonly BuiltIn[] = [
  {
    name: "new",
    hint: "",
    summary: "Save this conversation and start another",
    run: (_, context) => change(context, { kind: "open_session", session: "new" }),
  },
  {
    name: "clear",
    hint: "",
    summary: "Throw this conversation away and start another; asks first",
    details: "Memory and files stay as they are. `/new` keeps the conversation instead.",
    run: (argument, context) => {
      if (argument === "yes") {
        return change(context, { kind: "discard_session" }, () => done("The conversation is gone."));
      }
      if (argument === "no") return done();
      if (argument !== "") throw new WrongArgument(`"${argument}" is not an answer`);
      const turns =
        context.controller.messages.filter(({ role, host_authored: host }) => role === "user" && !host).length;
      const queued = context.controller.inbox.items.length;
      const more = queued === 0 ? "" : `, ${queued} queued`;
      const question = `Throw away this conversation (${plural(turns, "message")} of yours${more})? ` +
        "It is not saved. /new keeps it.";
      return {
        kind: "screen",
        screen: {
          title: question,
          rows: [
            { label: "Keep it", current: true, actions: { enter: { label: "keep", line: "/clear no" } } },
            { label: "Throw it away", actions: { enter: { label: "throw away", line: "/clear yes" } } },
          ],
          empty: "",
        },
        text: `${question}\nTo do it: /clear yes`,
      };
    },
  },
  {
    name: "resume",
    aliases: ["sessions"],
    hint: "[--copy] [SESSION]",
    summary: "Go on with an earlier conversation",
    details: "SESSION is an id, a path, or a part of one title or first message. `--copy` goes on in a duplicate.",
    run: async (argument, context) => {
      const { first, rest } = splitFirst(argument);
      const copy = first === "--copy";
      const ref = copy ? rest : argument;
      if (copy && ref === "") throw new WrongArgument("--copy needs a session to copy");
      if (ref !== "") return await change(context, { kind: "open_session", session: { ref }, copy });
      return picker(context, await context.host.sessions(), "Go on with");
    },
  },
  {
    name: "switch",
    hint: "ID|NAME",
    summary: "Open another session of this folder",
    run: (ref, context) => {
      if (ref === "") throw new WrongArgument("it needs a session");
      return change(context, { kind: "open_session", session: { ref } });
    },
  },
  {
    name: "tree",
    hint: "",
    summary: "Show the sessions of this folder and what they were branched from",
    run: async (_, context) => picker(context, asTree(await context.host.sessions()), "Sessions"),
  },
  {
    name: "branch",
    aliases: ["fork"],
    hint: "[TURN] [NAME]",
    summary: "Go on in a branch of this conversation, from its end or from before a turn",
    run: (argument, context) => {
      const { first, rest } = splitFirst(argument);
      const turn = toNumber(first);
      const title = turn === undefined ? argument : rest;
      const prompt = turn === undefined ? undefined : promptOf(context, turn);
      return change(context, {
        kind: "branch",
        ...(turn === undefined ? {} : { turn }),
        ...(title === "" ? {} : { title }),
      }, () => ({
        kind: "done",
        text: `This is branch ${title || context.controller.sessionId} now.`,
        ...(prompt === undefined ? {} : { draft: prompt }),
      }));
    },
  },
  {
    name: "rename",
    hint: "[TITLE]",
    summary: "Give this conversation a title",
    run: (argument, { runtime }) => {
      const { transcript } = runtime();
      const title = argument.replace(/\s+/g, " ").trim();
      if (title === "") {
        return text(transcript.title ? `Title: ${transcript.title}` : "This conversation has no title.");
      }
      if (title.length > LONGEST_TITLE) throw new WrongArgument(`a title has at most ${LONGEST_TITLE} characters`);
      transcript.rename(title);
      return done(`Title: ${title}`);
    },
  },
];

const LONGEST_TITLE = 200;

function promptOf({ runtime }: CommandContext, turn: number): string | undefined {
  return turnsOf(runtime().transcript.messages)[turn - 1]?.prompt;
}

interface Placed extends SessionRow {
  readonly depth?: number;
}

function picker({ controller }: CommandContext, sessions: readonly Placed[], title: string): CommandAnswer {
  const rows = sessions.map((session): CommandRow => {
    const { id, depth = 0, damaged } = session;
    const name = session.title ?? (session.preview || "(empty)");
    return {
      label: `${"  ".repeat(depth)}${depth > 0 ? "└ " : ""}${name}`,
      detail: [
        toMinute(session.updatedAt),
        ...(session.turns === undefined ? [] : [plural(session.turns, "turn")]),
        id,
        ...(damaged ? [damaged] : []),
      ].join("  "),
      ...(id === controller.sessionId ? { current: true } : {}),
      actions: {
        enter: { label: "open", line: `/switch ${id}` },
        c: { label: "open a copy", line: `/resume --copy ${id}` },
      },
    };
  });
  return screen(title, rows, "no sessions yet");
}

/** Each session below the one it came from; the newest family first. */
function asTree(sessions: readonly SessionRow[]): readonly Placed[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const children = new Map<string, SessionRow[]>();
  const roots: SessionRow[] = [];
  for (const session of sessions) {
    const { parentId } = session;
    if (parentId === undefined || parentId === session.id || !byId.has(parentId)) roots.push(session);
    else children.set(parentId, [...children.get(parentId) ?? [], session]);
  }
  const placed: Placed[] = [];
  const seen = new Set<string>();
  const place = (session: SessionRow, depth: number) => {
    if (seen.has(session.id)) return;
    seen.add(session.id);
    placed.push({ ...session, depth });
    for (const child of children.get(session.id) ?? []) place(child, depth + 1);
  };
  for (const root of roots) place(root, 0);
  // Files that name each other as parents are families without a root.
  for (const session of sessions) place(session, 0);
  return placed;
}
