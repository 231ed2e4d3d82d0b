/**
 * The grammar of permission rules: `Tool`, `Tool(spec)`, `Tool=literal`. A text that is not a rule becomes a problem
 * that quotes it; it is never read as something wider.
 */
import { isPlain } from "./wildcard.ts";

/** What of a call's subject fits. Word boundaries and shell parts are the business of `match_command.ts`. */
export type Matcher =
  | { readonly kind: "any" }
  /** `Tool=text`: the identical subject, metacharacters and all. */
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "exact"; readonly text: string }
  /** Bash only: the text itself, or the text and more after a blank. */
  | { readonly kind: "prefix"; readonly text: string }
  | { readonly kind: "glob"; readonly pattern: string };

/** `bash` and `edit` name families of tools; `tool` is one tool by its exact name. */
export type Family = "bash" | "edit" | "tool";

export interface Rule {
  /** As reported to people; reads back as the same rule. */
  readonly text: string;
  readonly family: Family;
  /** Exact name where the family is `tool`. */
  readonly tool: string;
  readonly matcher: Matcher;
}

export type Effect = "allow" | "ask" | "deny";

export interface SourcedRule {
  readonly effect: Effect;
  readonly rule: Rule;
  /** For people, such as `user config` or `--allowed-tools`. */
  readonly source: string;
}

export interface RuleProblem {
  readonly effect: Effect;
  /** The text as written. */
  readonly text: string;
  readonly source: string;
  /** One sentence that quotes the text. */
  readonly message: string;
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly message: string };

export interface RuleOptions {
  /**
   * Names of this session's tools; absent: any well-formed name will do. A rule may always speak of tools that are
   * switched off here and of MCP tools, whose servers may be away.
   */
  isTool?(name: string): boolean;
}

/** Built-in tools that not every session has. */
const SOMETIMES: ReadonlySet<string> = new Set(
  `bash_output kill_shell wait read_file ls glob grep code_index web_fetch web_search docs lsp_definition lsp_references
   lsp_hover lsp_diagnostics browser_open browser_read browser_act computer_read computer_act todo_write complete_step ask
   use_capability compress recall context_budget task read_only_task parallel_tasks fleet read_subagent_result
   list_subagents explore research review security_review run_skill read_skill read_only_skill slash_command install_skill
   install_source memory remember forget history list_sessions read_session update_goal exit_plan_mode await_user
   conclude_blocked complete_subtask review_report write_file edit_file multi_edit move_file notebook_edit delete_range
   delete_symbol`.split(/\s+/),
);

/** Tools that change files; one `Edit` rule speaks of all of them. */
export const EDIT_TOOLS: ReadonlySet<string> = new Set([
  "write_file",
  "edit_file",
  "multi_edit",
  "move_file",
  "notebook_edit",
  "delete_range",
  "delete_symbol",
]);

const EDIT_NAMES = new Set(["edit", "file_mutation"]);
const NAME = /^[A-Za-z_][\w.:-]*$/;

export function parseRule(text: string, options: RuleOptions = {}): ParsedRule {
  const no = (why: string): ParsedRule => ({ ok: false, message: `${quote(text)} is not a permission rule: ${why}` });
  const written = text.trimStart();
  if (written.trim() === "") return no("it is empty");

  const open = written.indexOf("(");
  const equals = written.indexOf("=");
  if (equals >= 0 && (open < 0 || equals < open)) {
    const literal = written.slice(equals + 1);
    if (literal === "") return no("nothing stands after `=`");
    return named(written.slice(0, equals), { kind: "literal", text: literal });
  }
  if (open < 0) return named(written.trimEnd(), { kind: "any" });

  const closed = written.trimEnd();
  if (!closed.endsWith(")")) return no("the closing `)` is missing");
  const spec = closed.slice(open + 1, -1);
  if (/\)\s*[,\s]\s*[A-Za-z_]\w*[(=]/.test(spec)) return no("it holds more than one rule; write each on its own");
  return named(closed.slice(0, open), spec === "" ? { kind: "any" } : spec);

  function named(name: string, spec: string | Matcher): ParsedRule {
    if (name === "") return no("the tool's name is missing");
    if (/\s/.test(name)) return no("there is a blank in or after the tool's name");
    if (!NAME.test(name)) return no(`${quote(name)} is no tool name`);
    const family = familyOf(name);
    if (family === "tool" && options.isTool && !isMcp(name) && !SOMETIMES.has(name) && !options.isTool(name)) {
      return no(`there is no tool ${quote(name)}`);
    }
    const matcher = typeof spec === "string" ? parseSpec(spec, family) : spec;
    if (typeof matcher === "string") return no(matcher);
    const tool = family === "bash" ? "bash" : family === "edit" ? "edit" : name;
    return { ok: true, rule: { text: show(name, matcher, spec), family, tool, matcher } };
  }
}

function parseSpec(spec: string, family: Family): Matcher | string {
  if (family !== "bash") return isPlain(spec) ? { kind: "exact", text: spec } : { kind: "glob", pattern: spec };
  if (spec.endsWith(":*")) {
    const prefix = spec.slice(0, -2).trimEnd();
    return prefix === "" ? "nothing stands before `:*`" : { kind: "prefix", text: prefix };
  }
  // The old spelling of a prefix. A `*` elsewhere makes it an ordinary glob.
  const head = spec.slice(0, -2);
  if (spec.endsWith(" *") && head.trim() !== "" && isPlain(head)) return { kind: "prefix", text: head.trimEnd() };
  return isPlain(spec) ? { kind: "exact", text: spec } : { kind: "glob", pattern: spec };
}

function show(name: string, matcher: Matcher, spec: string | Matcher): string {
  if (matcher.kind === "any") return name;
  return matcher.kind === "literal" ? `${name}=${matcher.text}` : `${name}(${spec})`;
}

function familyOf(name: string): Family {
  const lower = name.toLowerCase();
  if (lower === "bash") return "bash";
  return EDIT_NAMES.has(lower) ? "edit" : "tool";
}

/** True when a rule of this family can speak of a call of `tool`. */
export function concerns(rule: Rule, tool: string): boolean {
  if (rule.family === "bash") return tool === "bash";
  if (rule.family === "edit") return EDIT_TOOLS.has(tool);
  return rule.tool === tool;
}

/** Names of MCP tools and of the permission to start a server. */
export function isMcp(tool: string): boolean {
  return tool.startsWith("mcp__") || tool.startsWith("mcp_connect__");
}

/** The rule that names exactly `subject`, in the shortest form that is safe from metacharacters. */
export function literalRule(name: string, subject: string): string {
  const spelled = `${name}(${subject})`;
  const read = parseRule(spelled);
  const stands = read.ok && read.rule.matcher.kind === "exact" && read.rule.matcher.text === subject;
  return stands && subject.trim() === subject ? spelled : `${name}=${subject}`;
}

export interface RuleLists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/**
 * Rules of one source. What cannot be read is a problem: start-up reports all of them and stops, because a broken
 * deny or ask rule would otherwise protect nothing. Whoever goes on all the same has lost no safety to a broken allow.
 */
export function readRules(
  lists: RuleLists,
  options: RuleOptions & { readonly source: string },
): { readonly rules: readonly SourcedRule[]; readonly problems: readonly RuleProblem[] } {
  const rules: SourcedRule[] = [];
  const problems: RuleProblem[] = [];
  const { source } = options;
  for (const effect of ["deny", "ask", "allow"] as const) {
    for (const text of lists[effect] ?? []) {
      const parsed = parseRule(text, options);
      if (!parsed.ok) {
        problems.push({ effect, text, source, message: parsed.message });
      } else if (effect === "allow" && parsed.rule.matcher.kind === "any" && text.trimEnd().endsWith("()")) {
        // Brackets that lost their content must not become permission for everything.
        const message = `${quote(text)} allows nothing in particular; write ${quote(parsed.rule.text)} to allow it all`;
        problems.push({ effect, text, source, message });
      } else {
        rules.push({ effect, rule: parsed.rule, source });
      }
    }
  }
  return { rules, problems };
}

/** Splits `--allowed-tools`: commas and blanks separate, but not inside parentheses. */
export function splitRules(
  text: string,
): { readonly ok: true; readonly rules: readonly string[] } | { readonly ok: false; readonly message: string } {
  const rules: string[] = [];
  let depth = 0;
  let current = "";
  for (const char of text) {
    if (char === "(") depth++;
    else if (char === ")" && --depth < 0) break;
    if (depth === 0 && /[\s,]/.test(char)) {
      if (current !== "") rules.push(current);
      current = "";
    } else {
      current += char;
    }
  }
  if (depth !== 0) return { ok: false, message: `the parentheses in ${quote(text)} do not match` };
  if (current !== "") rules.push(current);
  return { ok: true, rules };
}

function quote(text: string): string {
  return `\`${text.length > 200 ? text.slice(0, 200) + "…" : text}\``;
}
