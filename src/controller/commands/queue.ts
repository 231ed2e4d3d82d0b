/** `/queue`: the messages that wait for the running turn. Each is named by its number in the list, or by its id. */
import type { InboxItem, InboxOrder, InboxPause } from "../../contract/inbox.ts";
import { toLine } from "../../lib/terminal_text.ts";
import type { CommandAnswer } from "../command.ts";
import {
  type BuiltIn,
  change,
  type CommandContext,
  done,
  splitFirst,
  text,
  toNumber,
  WrongArgument,
} from "./built_in.ts";

export const QUEUE: BuiltIn = {
  name: "queue",
  hint: "[list|show N|edit N [TEXT]|delete N|move N PLACE|pause|resume|retry [N]|refresh]",
  summary: "Show what waits for the running turn; change, reorder, hold or send it",
  details: [
    "- `/queue` lists them. `show N` shows one whole, `edit N` takes it up into the composer, `edit N TEXT` replaces it.",
    "- `delete N`, `delete all`: drops them. `move N PLACE`: to another place in the line.",
    "- `pause` holds all back, `resume` lets them go, one after the other.",
    "- `retry N` sends a message again whose turn failed.",
    "- `refresh` reads the stored queue again.",
    "",
    "What is queued is stored with the session and outlives the program. After a stop, a failure or a restart nothing goes " +
    "out before `/queue resume`.",
  ].join("\n"),
  run: async (argument, context) => {
    const { first: verb, rest } = splitFirst(argument);
    const { first, rest: more } = splitFirst(rest);
    const order = (order: InboxOrder, told?: () => CommandAnswer) => change(context, { kind: "inbox", order }, told);
    const alone = () => {
      if (rest !== "") throw new WrongArgument(`${verb} takes nothing behind it`);
    };
    switch (verb) {
      case "":
      case "list":
        alone();
        return list(context);
      case "show":
        return text(find(first, more, context).text);
      case "edit": {
        const { id } = find(first, "", context);
        if (more !== "") return await order({ do: "edit", id, text: more });
        return {
          kind: "frontend",
          action: "queue",
          argument: `edit ${id}`,
          text: "Write the new text behind the number.",
        };
      }
      case "delete":
        if (first !== "all") {
          return await order({ do: "delete", id: find(first, more, context).id }, () => list(context));
        }
        return await deleteAll(context);
      case "move": {
        const { id } = find(first, "", context);
        const place = toNumber(more);
        if (place === undefined) throw new WrongArgument(`"${more}" is no place in the line`);
        return await order({ do: "move", id, to: place - 1 }, () => list(context));
      }
      case "pause":
      case "resume":
        alone();
        return await order({ do: verb });
      case "retry":
        return await order({ do: "retry", id: first === "" ? failed(context).id : find(first, more, context).id });
      case "refresh":
        alone();
        return await order({ do: "refresh" }, () => done(count(context.controller.inbox.items.length)));
      default:
        throw new WrongArgument(`"${verb}" is nothing to do with the queue`);
    }
  },
};

/** For people without a screen of their own. */
const WHY: Record<InboxPause, string> = {
  person: "held back at your word",
  stopped: "held back since a turn was stopped",
  failed: "held back since a turn failed",
  limit: "held back since a turn met its limit",
  opened: "held back since the session was opened",
};

function list({ controller }: CommandContext): CommandAnswer {
  const { items, paused } = controller.inbox;
  const lines = items.map(({ text, state, failure }, at) => {
    const mark = state === "failed"
      ? ` (failed: ${failure ?? "unknown"})`
      : state === "guidance"
      ? " (for this turn)"
      : "";
    return `${at + 1}. ${toLine(text.slice(0, 2_000), 100)}${mark}`;
  });
  const all = paused ? `${count(items.length)}, ${WHY[paused]}.` : `${count(items.length)}.`;
  return { kind: "frontend", action: "queue", argument: "", text: [all, ...lines].join("\n") };
}

async function deleteAll(context: CommandContext): Promise<CommandAnswer> {
  const { items } = context.controller.inbox;
  for (const { id } of items) {
    const answer = await change(context, { kind: "inbox", order: { do: "delete", id } });
    if (answer.kind === "error") return answer;
  }
  return done(`Dropped: ${count(items.length)}.`);
}

/** `more`: what stands behind the name of the message, where nothing should. */
function find(name: string, more: string, { controller }: CommandContext): InboxItem {
  const { items } = controller.inbox;
  if (name === "") throw new WrongArgument("it needs the number of a message");
  if (more !== "") throw new WrongArgument(`"${more}" is one word too many`);
  const number = toNumber(name);
  const item = number === undefined ? items.find(({ id }) => id === name) : items[number - 1];
  if (item) return item;
  throw new WrongArgument(`there is no queued message ${name}; ${count(items.length)}`);
}

function failed({ controller }: CommandContext): InboxItem {
  const item = controller.inbox.items.find(({ state }) => state === "failed");
  if (item === undefined) throw new WrongArgument("no queued message has failed");
  return item;
}

function count(messages: number): string {
  if (messages === 0) return "nothing waits";
  return messages === 1 ? "1 message waits" : `${messages} messages wait`;
}
