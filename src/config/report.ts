/** Findings into notices and problems, each with its line. */
import { ReasonixError } from "../contract/errors.ts";
import { showPath } from "../lib/shown_path.ts";
import { type ConfigNotice, type ConfigProblem, type Finding, type KeyPath, keyText } from "./findings.ts";
import { shownLine } from "./parse_document.ts";
import type { Position } from "./positions.ts";

export interface Report {
  readonly notices: readonly ConfigNotice[];
  readonly problems: readonly ConfigProblem[];
}

export async function reportFindings(
  findings: readonly Finding[],
  source: { readonly file: string; readonly text: string },
): Promise<Report> {
  if (findings.length === 0) return { notices: [], problems: [] };
  const single = findings.filter((finding) => !isTold(finding));
  const locate = single.length === 0 ? () => undefined : (await import("./positions.ts")).locateKeys(source.text);
  const lines = source.text.split(/\r?\n/);
  const notices: ConfigNotice[] = [];
  const problems: ConfigProblem[] = [];

  for (const finding of single) {
    const at = locate(finding.path);
    const where = placeText(source.file, at);
    const place = { file: source.file, ...at };
    const problem = problemOf(finding, at ? ` in: ${shownLine(lines[at.line - 1] ?? "")}` : "");
    if (problem) {
      const { code, text, remedy } = problem;
      problems.push(new ReasonixError(code, `${where}: ${text}`, { place, remedy }));
    } else {
      const notice = noticeOf(finding);
      if (notice) notices.push({ ...notice, text: `${where}: ${notice.text}`, place });
    }
  }
  const more = notices.splice(MOST_NOTICES).length;
  if (more > 0) notices.push(furtherNotices(source.file, more));
  const refused = findings.filter((finding) => finding.kind === "user_only").map((finding) => finding.path);
  if (refused.length > 0) notices.push(userOnly(source.file, refused));
  const idle = findings.filter((finding) => finding.kind === "not_yet" && isTold(finding)).map(({ path }) => path);
  if (idle.length > 0) notices.push(notYet(source.file, idle));
  return { notices, problems };
}

/** With others of its kind, in one line about the file. */
function isTold(finding: Finding): boolean {
  return finding.kind === "user_only" || (finding.kind === "not_yet" && !finding.guard);
}

/** So many lines about one file help; more would hide what matters. */
const MOST_NOTICES = 20;

function furtherNotices(file: string, count: number): ConfigNotice {
  return {
    level: "warning",
    code: "config.unknown_key",
    text: `${file}: and ${count} more like these`,
    place: { file },
  };
}

function placeText(file: string, at: Position | undefined): string {
  return at ? `${file}:${at.line}:${at.column}` : file;
}

function problemOf(
  finding: Finding,
  line: string,
): { code: "config.type" | "config.unsafe_key"; text: string; remedy: string } | undefined {
  const key = keyText(finding.path);
  switch (finding.kind) {
    case "type":
      return {
        code: "config.type",
        text: `${key}: found ${finding.found}, expected ${finding.expected}${line}`,
        remedy: "Correct the value; nothing was changed and no default is used in its place.",
      };
    case "missing":
      return {
        code: "config.type",
        text: `${key}: found no \`${finding.key}\`, expected one${line}`,
        remedy: `Add \`${finding.key} = "…"\` to this entry.`,
      };
    case "duplicate":
      return {
        code: "config.type",
        text: `${key}: found the name "${showPath(finding.name)}" a second time, expected each only once${line}`,
        remedy: "Rename or remove one of the two.",
      };
    case "unknown":
      if (!finding.unsafe) return undefined;
      return {
        code: "config.unsafe_key",
        text: `unknown key ${key} where rules or addresses are set${meant(finding.near)}${line}`,
        remedy: "Correct or remove the key: going on without it could be unsafe.",
      };
    default:
      return undefined;
  }
}

function noticeOf(finding: Finding): Omit<ConfigNotice, "place"> | undefined {
  const key = keyText(finding.path);
  switch (finding.kind) {
    case "unknown":
      return {
        level: "warning",
        code: "config.unknown_key",
        text: `unknown key ${key} is ignored${meant(finding.near)}`,
      };
    case "adjusted":
      return { level: "warning", code: "config.adjusted", text: `${key}: ${finding.text}` };
    case "retired":
      return { level: "info", code: "config.retired", text: `${key} no longer has an effect: ${finding.text}` };
    case "not_yet":
      return { level: "warning", code: "config.not_yet", text: `${key} has no effect yet; do not rely on it` };
    default:
      return undefined;
  }
}

function meant(near: string | undefined): string {
  return near === undefined ? "" : `; did you mean ${near}?`;
}

function userOnly(file: string, paths: readonly KeyPath[]): ConfigNotice {
  return {
    level: "warning",
    code: "config.user_only",
    text: `${file}: ignored, because only the user config may set it: ${listed(paths)}`,
    place: { file },
  };
}

function notYet(file: string, paths: readonly KeyPath[]): ConfigNotice {
  return { level: "info", code: "config.not_yet", text: `${file}: no effect yet: ${listed(paths)}`, place: { file } };
}

function listed(paths: readonly KeyPath[]): string {
  return paths.slice(0, MOST_NOTICES).map(keyText).join(", ") + (paths.length > MOST_NOTICES ? ", …" : "");
}
