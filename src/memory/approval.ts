/**
 * Which memory calls run unasked: creating a bounded project fact that repeats nothing and gives nothing away.
 * Everything else takes a fresh answer of the person, whatever the posture.
 */
import type { ToolRequest } from "../contract/decision.ts";
import { toLine } from "../lib/terminal_text.ts";
import { sensitiveIn } from "./sensitive.ts";
import type { FactStore } from "./fact_store.ts";
import { fileReference } from "./fact.ts";
import { toChange } from "./tools/arguments.ts";

/** Longer texts are not saved unasked. Characters. */
const LONGEST_BODY = 6_000;
const LONGEST_LINE = 400;

/** Undefined: may run unasked. Otherwise why a person must look, as one clause. */
export async function reasonToAsk(
  { tool, args }: Pick<ToolRequest, "tool" | "args">,
  store: FactStore,
  isSecret: (text: string) => boolean,
): Promise<string | undefined> {
  if (tool !== "remember") return "it takes a fact out of the memory";
  if (args.id !== undefined || args.expected_revision !== undefined) return "it changes a saved fact";
  if (args.type !== "project" && args.type !== "reference") {
    return "only facts of the types project and reference are saved unasked";
  }
  if (args.scope !== undefined && args.scope !== "project") return "it is for all projects";
  if (args.activation === "pinned") return "it would stand in the opening of every session";
  const { body, ...rest } = args;
  if (String(body).length > LONGEST_BODY) return `its text is longer than ${LONGEST_BODY} characters`;
  const short = Object.values(rest).map(String);
  if (short.some((text) => text.length > LONGEST_LINE)) return "one of its lines is very long";
  const all = [String(body), ...short].join("\n");
  const sign = sensitiveIn(all) ?? (isSecret(all) ? "a saved key" : undefined);
  if (sign) return `it seems to hold ${sign}`;
  const same = await store.duplicateOf({ ...toChange(args), scope: "project" });
  return same && `it repeats ${fileReference(same)}`;
}

/** What the person is asked about, in a few lines. */
export async function previewCall(
  { tool, args }: Pick<ToolRequest, "tool" | "args">,
  store: FactStore,
): Promise<{ readonly subject: string; readonly detail?: string }> {
  const ref = tool === "forget" ? String(args.name) : typeof args.id === "string" ? args.id : undefined;
  const known = ref === undefined ? undefined : await store.find(ref).catch(() => undefined);
  const about = known ? `${fileReference(known)} (${toLine(known.title, 80)})` : ref && toLine(ref, 80);
  if (tool === "forget") {
    return { subject: `archive ${about}`, ...(known ? { detail: marked("-", known.body || known.description) } : {}) };
  }
  const label = [args.scope ?? known?.scope ?? "project", args.type ?? known?.type ?? "project"].join("/") +
    (args.activation === "pinned" ? ", pinned" : "");
  const what = about === undefined ? `save a ${label} fact` : `change ${about} as ${label}`;
  return {
    subject: `${what}: ${toLine(String(args.description), 160)}`,
    detail: [...(known ? [marked("-", known.body)] : []), marked("+", String(args.body))].join("\n"),
  };
}

/** A few lines, each marked; how many more there are. */
function marked(sign: string, text: string): string {
  const lines = text.trim().split("\n");
  const shown = lines.slice(0, 12).map((line) => `${sign}${toLine(line, 160)}`);
  return [...shown, ...(lines.length > 12 ? [`${sign}… ${lines.length - 12} more lines`] : [])].join("\n");
}
