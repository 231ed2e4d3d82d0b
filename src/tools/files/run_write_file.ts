/** The writing behind `write_file`: in the encoding and with the line ends the file has. */
import { ToolError } from "../../contract/errors.ts";
import type { ToolOutput, ToolPorts } from "../../contract/tool.ts";
import { FileError, type Files, type ReadFile } from "../../contract/workspace.ts";
import { sameBytes } from "../../lib/bytes.ts";
import { decodeText, UTF8 } from "../../lib/text_encoding.ts";
import { shownDiff } from "./shown_diff.ts";
import { LARGEST_TEXT_FILE, mustBeWritable, notText, toFileBytes } from "./text_file.ts";

export async function runWriteFile(
  { workspace: { files } }: ToolPorts,
  args: Record<string, unknown>,
): Promise<ToolOutput> {
  const path = files.absolute(args.path as string);
  const before = await readIfThere(files, path);
  const plan = await planWrite(path, before?.bytes, args.content as string);
  if (plan.kind === "same") {
    return { text: `${path} already contains the exact content; no changes made` };
  }
  await files.write(path, plan.bytes, {
    kind: "whole",
    ...(before === undefined ? {} : { basedOn: before.version }),
  });
  return {
    text: [`wrote ${plan.bytes.length} bytes to ${path}`, ...plan.notes].join("; "),
    execution: { state: "completed", paths_written: [path] },
    display: plan.display,
  };
}

export type WritePlan =
  | { readonly kind: "same" }
  | {
    readonly kind: "write";
    readonly bytes: Uint8Array;
    /** What the model should know beyond that it was written. */
    readonly notes: readonly string[];
    readonly display: { readonly diff?: string; readonly added?: number; readonly removed?: number };
  };

/** What `content` becomes on disk over `before`. Throws `ToolError` when that file must not be replaced by text. */
export async function planWrite(path: string, before: Uint8Array | undefined, content: string): Promise<WritePlan> {
  const old = before === undefined || before.length === 0 ? undefined : await decodeText(before);
  if (old !== undefined && old.kind !== "text") {
    const bytes = await toFileBytes(path, content, UTF8);
    const notes = [`this replaces ${notText("what", old, before!.length).replace(/^what is /, "")}`];
    return { kind: "write", bytes, notes, display: {} };
  }
  const encoding = old?.encoding ?? UTF8;
  mustBeWritable(path, encoding);
  const notes: string[] = [];
  let text = encoding.bom && content.startsWith("\ufeff") ? content.slice(1) : content;
  if (old !== undefined && usesOnlyCrlf(old.text) && text.includes("\n") && !text.includes("\r")) {
    text = text.replaceAll("\n", "\r\n");
    notes.push("line ends CRLF kept");
  }
  if (encoding.name !== "utf-8") notes.push(`encoding ${encoding.name} kept`);
  const bytes = await toFileBytes(path, text, encoding);
  if (before !== undefined && sameBytes(bytes, before)) return { kind: "same" };
  return { kind: "write", bytes, notes, display: shownDiff(old?.text ?? "", text) };
}

async function readIfThere(files: Files, path: string): Promise<ReadFile | undefined> {
  const stat = await files.stat(path);
  if (stat === undefined) return undefined;
  if (stat.kind === "directory") throw new ToolError(`${path} is a directory, not a file`);
  try {
    return await files.read(path, { maxBytes: LARGEST_TEXT_FILE });
  } catch (error) {
    if (error instanceof FileError && error.failure === "not_found") return undefined;
    throw error;
  }
}

function usesOnlyCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}
