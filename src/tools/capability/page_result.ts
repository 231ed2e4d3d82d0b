/** `session:tool_result`: pages through the full text of a result that was cut. */
import { ToolError } from "../../contract/errors.ts";
import type { ResultStore, Tool } from "../../contract/tool.ts";
import { sha256 } from "../../lib/bytes.ts";

const TOOL_RESULT_ID = "session:tool_result";
const USUAL_LIMIT = 16_384;
const MOST = 24_576;

/** A mark at the start of a page is part of the text. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function createResultPager(results: ResultStore): Tool {
  return {
    name: TOOL_RESULT_ID,
    description: "Pages through the full text of a tool result that was cut. Offsets and limits are bytes.",
    readOnly: true,
    direct: false,
    schema: {
      type: "object",
      properties: {
        tool_call_id: { type: "string", minLength: 1 },
        result_ref: { type: "string", pattern: "^tr-[0-9a-f]{24}$" },
        offset: { type: "integer", minimum: 0, default: 0 },
        limit: { type: "integer", minimum: 1, maximum: MOST, default: USUAL_LIMIT },
      },
      required: ["tool_call_id", "result_ref"],
      additionalProperties: false,
    },
    async execute(args) {
      const ref = args.result_ref as string;
      const bytes = await results.read(args.tool_call_id as string, ref);
      if (bytes === undefined) {
        throw new ToolError(
          `this session has no stored result ${ref} of call ${args.tool_call_id}: ` +
            `copy tool_call_id and result_ref from the marker in the cut result`,
        );
      }
      const asked = (args.offset as number | undefined) ?? 0;
      if (asked > bytes.length || (asked === bytes.length && asked > 0)) {
        throw new ToolError(`offset ${asked} is past the end: the result has ${bytes.length} bytes`);
      }
      const start = characterStart(bytes, asked);
      const wanted = start + ((args.limit as number | undefined) ?? USUAL_LIMIT);
      let end = wanted >= bytes.length ? bytes.length : characterStart(bytes, wanted);
      // A limit smaller than one character still gets on.
      if (end <= start) end = nextCharacter(bytes, start);
      const header = [
        `result_ref: ${ref}`,
        `offset: ${start}`,
        `next_offset: ${end}`,
        `total_bytes: ${bytes.length}`,
        `sha256: ${await sha256(Uint8Array.from(bytes))}`,
        `complete: ${end === bytes.length}`,
      ];
      const text = `${header.join("\n")}\n\n${decoder.decode(bytes.subarray(start, end))}`;
      return { text, bound: { keep: "head", bytes: 32_768 } };
    },
  };
}

function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < 3 && isContinuation(bytes[start])) start--;
  return isContinuation(bytes[start]) ? at : start;
}

function nextCharacter(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (next < bytes.length && isContinuation(bytes[next])) next++;
  return next;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
