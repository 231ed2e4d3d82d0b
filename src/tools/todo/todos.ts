/**
 * The task list of one session and the rules of its serial work. Work goes through the list in sign-off order:
 * sub-steps of a phase one after the other, then the phase itself. The first item of that order that is not completed
 * is the one in progress; nothing before it changes any more.
 *
 * The same lists accepted in the same order give the same ids, so a resumed session replays them.
 */
import type { TodoChange, TodoInput, TodoItem, Todos } from "../../contract/tool.ts";
import { clip } from "../../lib/clip.ts";

export function createTodos(): Todos {
  let items: readonly TodoItem[] = [];
  const used = new Set<string>();
  return {
    get items() {
      return items;
    },
    replace(list: readonly TodoInput[]): TodoChange {
      const identified = identify(list, items, used);
      if (typeof identified === "string") return { problem: identified };
      const problem = listProblem(identified) ?? changeProblem(items, identified);
      if (problem !== undefined) return { problem };
      const changed = JSON.stringify(identified) !== JSON.stringify(items);
      items = identified;
      for (const item of items) used.add(item.step_id);
      return { changed, items };
    },
  };
}

/** Gives every item its id: the one it names, that of the old item it repeats, or a fresh one. */
function identify(
  list: readonly TodoInput[],
  old: readonly TodoItem[],
  used: ReadonlySet<string>,
): TodoItem[] | string {
  const named = new Set<string>();
  for (const { step_id: id } of list) {
    if (id === undefined) continue;
    if (named.has(id)) return `step_id "${id}" stands on two items: every item has an id of its own`;
    if (used.has(id) && !old.some((item) => item.step_id === id)) {
      return `step_id "${id}" belonged to an item that was dropped: leave step_id out for a new item`;
    }
    named.add(id);
  }
  const taken = new Set(named);
  const open = old.some((item) => item.status !== "completed");
  let next = 1;
  const fresh = () => {
    while (used.has(`s${next}`) || taken.has(`s${next}`)) next++;
    return `s${next}`;
  };
  return list.map((input) => {
    const content = input.content.trim();
    const level = input.level ?? 0;
    // Once all is done, the same words begin a new item.
    const kept = (item: TodoItem) => open || (item.status === "completed" && input.status === "completed");
    const repeats = (item: TodoItem) =>
      !taken.has(item.step_id) && item.content === content && item.level === level && kept(item);
    const id = input.step_id ?? old.find(repeats)?.step_id ?? fresh();
    taken.add(id);
    const activeForm = input.activeForm?.trim();
    return { content, status: input.status, ...(activeForm ? { activeForm } : {}), level, step_id: id };
  });
}

/** What is wrong with a list on its own. */
function listProblem(items: readonly TodoItem[]): string | undefined {
  const blank = items.findIndex((item) => item.content === "");
  if (blank >= 0) return `item ${blank + 1} has no content: say what is to be done`;
  if (items[0]?.level === 1) {
    return `${show(items[0])} is a sub-step (level 1) with no phase before it: put a level 0 item first`;
  }
  const order = signOffOrder(items);
  const firstOpen = order.findIndex((item) => item.status !== "completed");
  const active = items.filter((item) => item.status === "in_progress");
  if (firstOpen < 0) return undefined;
  const due = order[firstOpen]!;
  const early = order.slice(firstOpen).find((item) => item.status === "completed");
  if (early !== undefined) {
    return `${show(early)} is completed before ${show(due)}: items are completed in order, ` +
      `sub-steps before their phase`;
  }
  if (active.length > 1) {
    return `${active.length} items are in_progress (${active.map(show).join(", ")}): ` +
      `keep ${show(due)} in_progress and set the others to pending`;
  }
  if (active[0] !== due) {
    const instead = active[0] === undefined ? "no item is in_progress" : `${show(active[0])} is in_progress`;
    return `${instead}, but the next open item is ${show(due)}: set it to in_progress` +
      (active[0] === undefined ? "" : ` and the other to pending, or move it behind`) +
      (due.level === 1 ? "; its phase stays pending until all its sub-steps are completed" : "");
  }
  return undefined;
}

/** What is wrong with going from one list to the next. */
function changeProblem(old: readonly TodoItem[], next: readonly TodoItem[]): string | undefined {
  const current = old.find((item) => item.status === "in_progress");
  const before = new Map(old.map((item) => [item.step_id, item]));
  if (current !== undefined) {
    const done = signOffOrder(old).filter((item) => item.status === "completed");
    const order = signOffOrder(next);
    for (const [i, item] of done.entries()) {
      const now = order[i];
      if (
        now?.step_id !== item.step_id || now.content !== item.content || now.level !== item.level ||
        now.status !== "completed"
      ) {
        return `${show(item)} is completed and stays as it is: repeat the completed items unchanged and in order, ` +
          `with new items only behind them`;
      }
    }
    const now = next.find((item) => item.step_id === current.step_id);
    if (now === undefined) {
      return `${show(current)} is in progress and cannot be dropped: keep it with its step_id ` +
        `(its content may be reworded) until it is completed`;
    }
    if (now.status === "pending" && !hasOpenSubSteps(next, now)) {
      return `${show(current)} is in progress and cannot go back to pending: finish it first, ` +
        `and put new items behind it`;
    }
  }
  for (const item of next) {
    const was = before.get(item.step_id);
    if (was?.status === "completed" && item.status !== "completed") {
      return `${show(item)} is completed: put a new item, without step_id, for what is left to do`;
    }
    if (item.status !== "completed" || was?.status === "completed") continue;
    if (was === undefined) {
      return `${show(item)} is new and already completed: a new item starts as pending or in_progress`;
    }
    if (was.step_id !== current?.step_id) {
      return `${show(item)} was not in progress: only ${show(current ?? was)} can be completed now, ` +
        `then the next item becomes in_progress`;
    }
  }
  return undefined;
}

function hasOpenSubSteps(items: readonly TodoItem[], phase: TodoItem): boolean {
  const at = items.indexOf(phase);
  return phase.level === 0 && items[at + 1]?.level === 1 && items[at + 1]!.status !== "completed";
}

/** Sub-steps come before the phase they belong to. */
function signOffOrder(items: readonly TodoItem[]): TodoItem[] {
  const order: TodoItem[] = [];
  let phase: TodoItem | undefined;
  for (const item of items) {
    if (item.level === 1) {
      order.push(item);
      continue;
    }
    if (phase !== undefined) order.push(phase);
    phase = item;
  }
  if (phase !== undefined) order.push(phase);
  return order;
}

function show(item: TodoItem): string {
  return `"${clip(item.content, 60)}" (${item.step_id})`;
}
