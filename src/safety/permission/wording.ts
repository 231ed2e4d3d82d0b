/** Refusals in words: the model reads them, people see them, programs branch on the code beside them. */
import type { Decision, GateAnswer, Posture, ToolRequest, Why } from "../../contract/decision.ts";
import { errorText } from "../../lib/error_text.ts";
import { shellQuote } from "../../lib/shell_quote.ts";

export type Refused = Extract<GateAnswer, { readonly allowed: false }>;

export function refusedByRule(_request: ToolRequest, why: Why): Refused {
  const stated = why.by === "rule"
    ? `Matched permission rule: deny ${why.rule}. The permission policy denied this call (rule from ${why.source}).`
    : `The permission policy denied this call: ${why.text}.`;
  return { allowed: false, code: "permission.deny_rule", message: `${stated} It was not run.`, why };
}

/** The person, or a hook or the guardian in the person's place. */
export function refusedByPerson(why: Why): Refused {
  const who = why.by === "hook" ? "A hook of the user's" : why.by === "guardian" ? "The guardian" : "The user";
  return {
    allowed: false,
    code: "permission.declined",
    message: `${who} declined this call. Do not retry it; ask the user how to proceed.`,
    why,
  };
}

export function refusedByReadOnly({ tool }: ToolRequest, why: Why): Refused {
  return {
    allowed: false,
    code: "permission.read_only",
    message: `The session is read-only: ${tool} was not run, whatever the allow rules say.`,
    remedy: "Start with another --permission-mode to let it change things.",
    why,
  };
}

/** Nobody is there to ask, or the posture never asks. */
export function refusedUnasked(
  request: ToolRequest,
  decision: Decision,
  options: {
    readonly posture: Posture;
    readonly rule?: string;
    readonly untrustedFolder?: string;
    readonly child: boolean;
  },
): Refused {
  const { why } = decision;
  const { posture, rule, untrustedFolder } = options;
  const cause = why.by === "rule" ? `the rule \`${why.rule}\` (${why.source}): ${why.text}` : why.text;
  const nobody = posture === "dont_ask"
    ? "this session never asks"
    : options.child
    ? "a sub-agent cannot ask"
    : "nobody is there to give it";
  const message = `${request.tool} needs approval and ${nobody} (${cause}). It was not run.`;
  const remedy = remedyFor(decision, posture, rule);
  if (untrustedFolder !== undefined && why.by === "fallback" && !decision.humanRequired) {
    // Trust alone allows nothing: it lets the folder's own allow rules count.
    const trust = `reasonix trust --dir ${shellQuote(untrustedFolder)}`;
    return {
      allowed: false,
      code: "permission.untrusted_folder",
      message,
      remedy: `${remedy ?? "Run with --auto to allow ordinary changes."} Rules of the folder count after \`${trust}\`.`,
      why,
    };
  }
  return { allowed: false, code: "permission.unattended", message, ...(remedy === undefined ? {} : { remedy }), why };
}

export function refusedUnreviewed(request: ToolRequest, why: Why): Refused {
  return {
    allowed: false,
    code: "permission.unattended",
    message:
      `${request.tool} needs fresh human approval (${why.text}), and nobody is there to give it. It was not run.`,
    why,
  };
}

export function refusedAsParked(why: Why): Refused {
  return {
    allowed: false,
    code: "permission.parked",
    message: "The question about this call was dropped before anybody answered. It was not run.",
    why,
  };
}

export function refusedByFailure(error: unknown): Refused {
  const text = errorText(error);
  const why: Why = { by: "fallback", text: `the permission check failed: ${text}` };
  return {
    allowed: false,
    code: "permission.unattended",
    message: `The permission check failed (${text}); a check that fails has answered no. It was not run.`,
    why,
  };
}

/** What a person can do, where anything short of being there helps. A rule too long to read is not spelled out. */
function remedyFor({ why, humanRequired }: Decision, posture: Posture, rule: string | undefined): string | undefined {
  if (why.by === "rule" || rule === undefined) return undefined;
  const named = rule.length > 120 || rule.includes("\n") ? "Allow exactly this" : `Allow exactly this with \`${rule}\``;
  const auto = !humanRequired && (posture === "ask" || posture === "accept_edits");
  return `${named} in permissions.allow${auto ? ", or run with --auto to allow ordinary changes" : ""}.`;
}
