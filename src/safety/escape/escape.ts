/**
 * The way out of the sandbox: when a command failed and the sandbox is the likely cause, or there is no sandbox to run
 * it in, the person may have exactly this command run once without it. A decision of its own: no rule, posture, hook or
 * guardian answers it, nothing is remembered, and where nobody can be asked the failure stands.
 */
import type { ApprovalRequest, Approver, Posture } from "../../contract/decision.ts";
import { isAbort, Refusal } from "../../contract/errors.ts";
import type { Tool, ToolContext, ToolOutput } from "../../contract/tool.ts";

export interface EscapeOptions {
  /** The shell tool over the confined processes. */
  readonly confined: Tool;
  /** The same tool over processes without walls. */
  readonly unconfined: Tool;
  readonly approver: Approver;
  posture(): Posture;
}

/** What happened inside the sandbox. */
type Inside = { readonly output: ToolOutput } | { readonly refusal: Refusal };

const DANGER = "outside the sandbox it can change every file you can change, read what is hidden from commands, " +
  "and reach the whole network";

export function offerEscape(options: EscapeOptions): Tool {
  const { confined, unconfined, approver, posture } = options;
  let asked = 0;
  return {
    ...confined,
    async execute(args, context) {
      const inside = await tryInside(confined, args, context);
      const cause = causeOf(inside);
      if (cause === undefined || posture() === "dont_ask" || posture() === "read_only") return settle(inside);
      const approval: ApprovalRequest = {
        id: `escape${++asked}`,
        callId: context.callId,
        tool: confined.name,
        subject: String(args.command),
        why: { by: "review", text: cause },
        danger: DANGER,
        unconfined: true,
      };
      if (!await isAllowed(approver, approval, context.signal)) return settle(inside, "declined");
      const outside = await unconfined.execute(args, context);
      return { ...outside, text: `[run once outside the sandbox, as the person allowed: ${cause}]\n${outside.text}` };
    },
  };
}

async function tryInside(confined: Tool, args: Record<string, unknown>, context: ToolContext): Promise<Inside> {
  try {
    return { output: await confined.execute(args, context) };
  } catch (error) {
    if (error instanceof Refusal && error.code === "sandbox.unavailable") return { refusal: error };
    throw error;
  }
}

/** One sentence on how the sandbox came in the way; undefined when it most likely did not. */
function causeOf(inside: Inside): string | undefined {
  if ("refusal" in inside) return inside.refusal.message;
  const { failed, walls = [] } = inside.output;
  return failed && walls.length > 0 ? walls.map(({ text }) => text).join(" ") : undefined;
}

async function isAllowed(approver: Approver, approval: ApprovalRequest, signal: AbortSignal): Promise<boolean> {
  try {
    return await approver.request(approval, signal) !== "deny";
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    return false;
  }
}

function settle(inside: Inside, answer?: "declined"): ToolOutput {
  const note = answer && "The person declined to run it outside the sandbox; do not try that again.";
  if ("refusal" in inside) {
    const { code, message, remedy } = inside.refusal;
    throw note ? new Refusal(code, `${message} ${note}`) : new Refusal(code, message, remedy ? { remedy } : {});
  }
  const { output } = inside;
  return note ? { ...output, text: `${output.text.replace(/\n?$/, "\n")}[${note}]` } : output;
}
