/** What the gate finds out about a call before the policy is asked: its analysis, its paths, whether a review is forced. */
import type { ToolRequest } from "../../contract/decision.ts";
import type { CommandAnalysis } from "../shell/analysis.ts";
import type { Analyze } from "../shell/load.ts";
import type { PathForms } from "./match_path.ts";
import type { FindPathForms } from "./path_forms.ts";
import { targetOf } from "./subject.ts";

export interface Prepared {
  readonly request: ToolRequest;
  readonly shell?: CommandAnalysis;
  readonly paths: ReadonlyMap<string, PathForms>;
  /** Why only a fresh answer of a person will do, whatever posture, rules and grants say. */
  readonly review?: string;
}

export interface PrepareOptions {
  readonly pathForms?: FindPathForms;
  /** Why a write to this absolute path needs a fresh answer of a person; undefined when it does not. */
  reviewReason?(path: string): string | undefined;
  /** The same for calls that are reviewed for what they are: memory, plans, leaving the sandbox. */
  reviewCall?(request: ToolRequest): string | undefined;
  /** What `~/` in a command stands for. */
  readonly userHome?: string;
  /** Loads the analysis when it is first needed. */
  analyze(): Promise<Analyze>;
}

/** Words of a command that are looked up on the disk before it runs. */
const MOST_NAMED = 1_000;

export async function prepareCall(request: ToolRequest, options: PrepareOptions): Promise<Prepared> {
  const { tool, subjects } = targetOf(request);
  const command = tool === "bash" ? subjects.find(({ kind }) => kind === "command") : undefined;
  const shell = command && (await options.analyze())(command.text);
  const paths = new Map<string, PathForms>();
  for (const { text, kind } of subjects) {
    const forms = kind === "path" ? await options.pathForms?.(text) : undefined;
    if (forms) paths.set(text, forms);
  }
  const review = options.reviewCall?.(request) ?? await reviewOfWrites({ request, shell, paths }, options);
  return { request, paths, ...(shell ? { shell } : {}), ...(review === undefined ? {} : { review }) };
}

async function reviewOfWrites(
  { request, shell, paths }: Omit<Prepared, "review">,
  { reviewReason, pathForms, userHome }: PrepareOptions,
): Promise<string | undefined> {
  if (!reviewReason || request.readOnly) return undefined;
  const named = shell?.mayWrite ?? [];
  if (named.length > MOST_NAMED) return "it names more files than can be checked one by one";
  const written = [...paths.values()];
  for (const text of named) {
    const path = userHome !== undefined && text.startsWith("~/") ? userHome + text.slice(1) : text;
    const forms = await pathForms?.(path);
    if (forms) written.push(forms);
  }
  for (const { absolute, real } of written) {
    const reason = reviewReason(absolute) ?? reviewReason(real);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
