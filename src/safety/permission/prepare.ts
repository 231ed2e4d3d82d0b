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
  /** Why git would not only read in the folders the command reads with it. */
  readonly gitHazard?: string;
  /** Why only a fresh answer of a person will do, whatever posture, rules and grants say. */
  readonly review?: string;
  /** Runs unasked where no rule speaks of it. */
  readonly automatic?: boolean;
}

export interface PrepareOptions {
  readonly pathForms?: FindPathForms;
  /** Why a write to this absolute path needs a fresh answer of a person; undefined when it does not. */
  reviewReason?(path: string): string | undefined;
  /** The same for calls that are reviewed for what they are: memory, plans, leaving the sandbox. */
  reviewCall?(request: ToolRequest): string | undefined;
  /**
   * True for a call of the conversation's own agent that needs neither that review nor a question: the bounded
   * `remember` that only creates. Rules and the read-only posture stand. Never asked for a child.
   */
  isAutomatic?(request: ToolRequest): Promise<boolean>;
  /** Why git would start programs when it reads in this folder. Absent: believed never to. */
  gitHazard?(folder: string): Promise<string | undefined>;
  /** What `~/` in a command stands for. */
  readonly userHome?: string;
  /** Loads the analysis when it is first needed. */
  analyze(): Promise<Analyze>;
}

/** Words of a command that are looked up on the disk before it runs. */
const MOST_NAMED = 1_000;

export async function prepareCall(
  request: ToolRequest,
  options: PrepareOptions & { readonly child: boolean },
): Promise<Prepared> {
  const { tool, subjects } = targetOf(request);
  const command = tool === "bash" ? subjects.find(({ kind }) => kind === "command") : undefined;
  const shell = command && (await options.analyze())(command.text);
  const paths = new Map<string, PathForms>();
  for (const { text, kind } of subjects) {
    const forms = kind === "path" ? await options.pathForms?.(text) : undefined;
    if (forms) paths.set(text, forms);
  }
  const automatic = !options.child && await options.isAutomatic?.(request) === true;
  const review = (automatic ? undefined : options.reviewCall?.(request)) ??
    await reviewOfWrites({ request, shell, paths }, options);
  const gitHazard = shell && await hazardIn(shell.gitFolders, options);
  return {
    request,
    paths,
    ...(shell ? { shell } : {}),
    ...(gitHazard === undefined ? {} : { gitHazard }),
    ...(review === undefined ? {} : { review }),
    ...(automatic ? { automatic } : {}),
  };
}

async function hazardIn(folders: readonly string[], options: PrepareOptions): Promise<string | undefined> {
  if (folders.length > MOST_NAMED) return "it reads in more folders than can be looked at";
  for (const folder of folders) {
    const hazard = await options.gitHazard?.(atHome(folder, options));
    if (hazard !== undefined) return hazard;
  }
  return undefined;
}

async function reviewOfWrites(
  { request, shell, paths }: Pick<Prepared, "request" | "shell" | "paths">,
  options: PrepareOptions,
): Promise<string | undefined> {
  const { reviewReason, pathForms } = options;
  if (!reviewReason || request.readOnly) return undefined;
  const named = shell?.mayWrite ?? [];
  if (named.length > MOST_NAMED) return "it names more files than can be checked one by one";
  const written = [...paths.values()];
  for (const text of named) {
    const forms = await pathForms?.(atHome(text, options));
    if (forms) written.push(forms);
  }
  for (const { absolute, real } of written) {
    const reason = reviewReason(absolute) ?? reviewReason(real);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function atHome(path: string, { userHome }: PrepareOptions): string {
  return userHome !== undefined && /^~(\/|$)/.test(path) ? userHome + path.slice(1) : path;
}
