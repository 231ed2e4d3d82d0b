/** The items that may still change: opened, updated, closed and moved over in order. */
import type { Item, ItemOf, OpenItem } from "./item.ts";
import type { ViewState } from "./state.ts";

type Lists = Pick<ViewState, "items" | "open">;

/** Adds an item that is complete as it stands. */
export function addDone(state: ViewState, item: Item): ViewState {
  if (state.open.length === 0) return { ...state, items: [...state.items, item] };
  return { ...state, ...settle({ items: state.items, open: [...state.open, { item, done: true }] }) };
}

/** Adds a complete item in front of an open call: what was decided stands above what came of it. */
export function addBefore(state: ViewState, callId: string, item: Item): ViewState {
  const at = state.open.findIndex((entry) => entry.item.kind === "tool" && entry.item.tool.id === callId);
  if (at < 0) return addDone(state, item);
  const open = [...state.open.slice(0, at), { item, done: true }, ...state.open.slice(at)];
  return { ...state, ...settle({ items: state.items, open }) };
}

/**
 * Appends a delta to the stream of this kind that is open last, or opens one; other streams end where it begins. What
 * was said meanwhile by others, such as a notice, stands behind the stream and does not cut it.
 */
export function addText(state: ViewState, kind: "thinking" | "answer", delta: Delta): ViewState {
  const at = state.open.findLastIndex((entry) => !entry.done);
  const last = state.open[at];
  if (last?.item.kind === kind) {
    const item = { ...last.item, text: last.item.text + delta.text };
    return { ...state, open: state.open.with(at, { item, done: false }) };
  }
  const ended = closeStreams(state);
  const item: Item = { kind, ...delta };
  return { ...ended, open: [...ended.open, { item, done: false }] };
}

export interface Delta {
  readonly key: number;
  readonly text: string;
  readonly parentCallId?: string;
}

/** Ends open text: the model has gone on to something else. */
export function closeStreams(state: ViewState): ViewState {
  if (!state.open.some(isStream)) return state;
  const open = state.open.map((entry) => isStream(entry) ? { ...entry, done: true } : entry);
  return { ...state, ...settle({ items: state.items, open }) };
}

/** What a broken attempt left: its text stays on the screen, marked void; calls it only announced go. */
export function discardAttempt(state: ViewState): ViewState {
  const open = state.open.flatMap((entry): OpenItem[] => {
    if (entry.item.kind === "tool" && entry.item.tool.partial) return [];
    if (!isStream(entry)) return [entry];
    if (entry.item.kind === "answer") return [{ item: { ...entry.item, void: true }, done: true }];
    return [{ ...entry, done: true }];
  });
  return { ...state, ...settle({ items: state.items, open }) };
}

/** The open call with this id, of the session's own run or of the child run that `parentCallId` started. */
export function findTool(state: ViewState, id: string, parentCallId: string | undefined): ItemOf<"tool"> | undefined {
  for (let at = state.open.length - 1; at >= 0; at--) {
    const { item, done } = state.open[at]!;
    if (item.kind === "tool" && !done && item.tool.id === id && item.parentCallId === parentCallId) return item;
  }
}

/** Puts `item` in the place of the one with its key. */
export function replaceOpen(state: ViewState, item: Item, done: boolean): ViewState {
  const open = state.open.map((entry) => entry.item.key === item.key ? { item, done } : entry);
  return { ...state, ...settle({ items: state.items, open }) };
}

export function addOpen(state: ViewState, item: Item): ViewState {
  return { ...state, open: [...state.open, { item, done: false }] };
}

/** A turn that ends leaves nothing open: a call without a result was not finished, a call only announced goes. */
export function closeAll(state: ViewState): ViewState {
  const closed = state.open.flatMap(({ item }): Item[] => {
    if (item.kind !== "tool" || (item.tool.runState !== "running" && item.tool.runState !== "pending")) return [item];
    if (item.tool.partial) return [];
    const runState = item.tool.runState === "running" ? "cut_off" : "not_started";
    return [{ ...item, progress: "", tool: { ...item.tool, runState } }];
  });
  return { ...state, items: closed.length === 0 ? state.items : [...state.items, ...closed], open: [] };
}

function isStream({ item, done }: OpenItem): boolean {
  return !done && (item.kind === "thinking" || item.kind === "answer");
}

/** Moves over what is finished and has nothing unfinished before it. */
function settle({ items, open }: Lists): Lists {
  let ready = 0;
  while (ready < open.length && open[ready]!.done) ready++;
  if (ready === 0) return { items, open };
  return { items: [...items, ...open.slice(0, ready).map(({ item }) => item)], open: open.slice(ready) };
}
