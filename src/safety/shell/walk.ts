/**
 * From the parser's tree to every program call in it. Every node is visited, so a command cannot hide in a loop, a
 * function, a substitution or a here-document; text that a call would run (`sh -c '…'`) is parsed and visited too.
 */
import type {
  Command,
  CommandArgument,
  HereDoc,
  ParsedScript,
  Redirect,
  Redirection,
  SyntaxNode,
  Word,
  WordPart,
} from "unbash";
import type { ShellWord, SimpleCommand } from "./analysis.ts";
import { readCall } from "./call.ts";
import { Findings } from "./findings.ts";
import { hidesCode } from "./judge.ts";
import { pathOf } from "./may_write.ts";
import { readWord, UNKNOWN } from "./word.ts";

export interface Parser {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** How deep text may carry text that carries text. */
const MOST_CARRIED = 8;
/** Bounds the work, in characters: text that carries text can repeat itself without end. */
const MOST_TEXT = 512 * 1024;

/** Substitutions whose output is one harmless word. */
const PROVEN = /^(pwd|whoami|git rev-parse (--show-toplevel|HEAD|--abbrev-ref HEAD)|(basename|dirname) [\w./-]+)$/;

/** Names that no program and no shell takes to heart; most of those are in capitals. */
const HARMLESS_NAME = /^(?!.*_proxy$)(?:[a-z_][a-z0-9_]*|[A-Z]|FILE|DIR|NAME|PKG)$/;

/** Variables whose value is a program or a line for a shell. */
const NAMES_PROGRAM =
  /(?:EDITOR|VISUAL|PAGER|BROWSER|SHELL|ASKPASS|_COMMAND|_WRAPPER|_SSH)$|^(?:BASH_ENV|ENV|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|GIT_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+|PS[0-4])$/;

interface Place {
  /** The text that positions count in. */
  readonly source: string;
  readonly carried: number;
  readonly loopNames: ReadonlySet<string>;
}

export class Walk {
  readonly #parser: Parser;
  readonly #findings = new Findings();
  /** Values the line gives its variables; undefined where there are several or none is known. */
  readonly #values = new Map<string, string | undefined>();
  /** Harmless text that arithmetic would run, and whether anything does arithmetic. */
  readonly #latent = new Set<string>();
  #evaluates = false;
  /** Characters parsed so far. */
  #read = 0;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Everything a line holds. Throws `RangeError` for one that is nested without measure. */
  read(source: string): Findings {
    this.#text(source, 0);
    if (this.#evaluates && this.#latent.size > 0) {
      this.#findings.nested.add("text that arithmetic would run");
      // Deny rules still see what is in it.
      for (const text of this.#latent) this.#text(`: "${text.replaceAll('"', "")}"`, 1);
    }
    return this.#findings;
  }

  #text(source: string, carried: number): void {
    if (!this.#affords(source, carried)) {
      return this.#findings.opaque("commands inside commands without end");
    }
    const script = this.#parser.parse(source);
    this.#visit(script, { source, carried, loopNames: new Set() });
  }

  #affords(text: string, carried: number): boolean {
    // Even an empty text costs a parse.
    this.#read += text.length + 100;
    return carried <= MOST_CARRIED && this.#read <= MOST_TEXT;
  }

  #visit(node: SyntaxNode, place: Place): void {
    const findings = this.#findings;
    switch (node.type) {
      case "Script":
        if (node.errors?.length) findings.opaque("it cannot be parsed");
        // An escaped backquote has a text of its own.
        if (node.source !== undefined) place = { ...place, source: node.source };
        break;
      case "Statement":
        if (node.background) findings.acts.add("it runs in the background");
        break;
      case "Command":
        this.#command(node, place);
        break;
      case "Redirect":
        this.#redirect(node, place);
        break;
      case "HereDoc":
        this.#heredoc(node);
        break;
      case "HereString":
        findings.dynamic.add("a here-string");
        break;
      case "Assignment":
        findings.computes("an assignment");
        if (node.index) this.#evaluates = true;
        break;
      case "SimpleExpansion":
      case "ParameterExpansion":
        this.#expansion(node, place);
        break;
      case "CommandExpansion":
      case "ArithmeticCommandExpansion":
        findings.nested.add("command substitution");
        if (node.type !== "CommandExpansion" || !this.#isProven(node)) findings.acts.add("command substitution");
        if (!node.script) findings.opaque("it cannot be parsed");
        break;
      case "ProcessSubstitution":
        findings.nested.add("process substitution");
        findings.acts.add("process substitution");
        if (!node.script) findings.opaque("it cannot be parsed");
        break;
      case "ArithmeticCommand":
        this.#arithmetic();
        this.#perhapsCommands(node.body, place);
        break;
      case "ArithmeticExpansion":
      case "ArithmeticFor":
        this.#arithmetic();
        break;
      case "TestBinary":
      case "TestUnary":
        // These make numbers or names of their words.
        if (/^-(eq|ne|lt|le|gt|ge|v|R)$/.test(node.operator)) this.#evaluates = true;
        break;
      case "Glob":
        findings.dynamic.add("file name patterns");
        break;
      case "BraceExpansion":
        findings.dynamic.add("brace expansion");
        break;
      case "ExtendedGlob":
        findings.computes("extended patterns");
        break;
      case "Function":
        findings.computes("a function");
        break;
      case "Coproc":
        findings.computes("a coprocess");
        break;
      case "Select":
        findings.acts.add("it asks for input");
        break;
      case "For":
        return this.#loop(node, place);
      case "Word":
        if (!node.parts) this.#literal(node.value);
        break;
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.#literal(node.value);
        break;
    }
    this.#parser.forEachChild(node, (child) => this.#visit(child, place));
  }

  #literal(text: string): void {
    if (hidesCode(text)) this.#latent.add(text);
  }

  #arithmetic(): void {
    this.#findings.computes("arithmetic");
    this.#evaluates = true;
  }

  /** Where `((…))` is no arithmetic, it is two subshells; bash tries that too. */
  #perhapsCommands(body: string, place: Place): void {
    if (!/[A-Za-z_]\w*\s+[\w./-]/.test(body)) return;
    this.#findings.nested.add("double parentheses that may be commands");
    this.#text(body, place.carried + 1);
  }

  #loop(node: SyntaxNode & { readonly type: "For" }, place: Place): void {
    const words = node.wordlist ?? [];
    for (const word of words) this.#visit(word, place);
    const known = node.wordlist !== undefined &&
      words.every((word) => ["no", "glob"].includes(this.#word(word, place).computed));
    this.#values.set(node.name.value, undefined);
    if (!HARMLESS_NAME.test(node.name.value)) this.#findings.computes("a loop that sets a variable programs may read");
    const loopNames = new Set(place.loopNames);
    if (known) loopNames.add(node.name.value);
    else loopNames.delete(node.name.value);
    this.#visit(node.body, { ...place, loopNames });
  }

  #expansion(node: SyntaxNode & { readonly type: "SimpleExpansion" | "ParameterExpansion" }, place: Place): void {
    const findings = this.#findings;
    findings.dynamic.add("a parameter expansion");
    let name: string | undefined;
    if (node.type === "SimpleExpansion") {
      name = node.text.slice(1);
    } else {
      const { prefix, index, operation } = node;
      if (operation?.type === "Transform") findings.nested.add("an expansion that may run what a variable holds");
      if (prefix === "!" || operation?.type === "Unknown") findings.nested.add("an indirect expansion");
      if (index || operation?.type === "Slice") this.#evaluates = true;
      if (!prefix && !index && !operation) name = node.parameter;
    }
    if (name === undefined || !place.loopNames.has(name)) findings.acts.add("a parameter expansion");
  }

  #redirect(node: Redirect, place: Place): void {
    const findings = this.#findings;
    if (node.descriptor?.type === "FileDescriptorVariable") findings.computes("a redirect that sets a variable");
    const target = node.target && this.#word(node.target, place);
    const known = target?.computed === "no" ? target.value : undefined;
    if (node.operator.endsWith("&") && known !== undefined && /^(\d+-?|-)$/.test(known)) return;
    if (known === "/dev/null") return;
    findings.computes("a redirect to or from a file");
    if (known !== undefined && /^\/dev\/(tcp|udp)\//.test(known)) {
      findings.nested.add("a redirect that opens a connection");
    }
    const path = target && pathOf(target);
    if (node.operator !== "<" && path !== undefined) findings.mayWrite.add(path);
  }

  #heredoc(node: HereDoc): void {
    this.#findings.dynamic.add("a here-document");
    this.#findings.heredocs.push(node.body.text);
    if (!node.closing) this.#findings.opaque("a here-document without an end");
  }

  #word(word: Word, place: Place): ShellWord {
    return readWord(word, {
      loopNames: place.loopNames,
      isProven: (part) => this.#isProven(part),
      valueOf: (name) => this.#values.get(name),
    });
  }

  #isProven(part: WordPart): boolean {
    if (part.type !== "CommandExpansion" || !part.script || part.script.errors?.length) return false;
    const [statement, ...more] = part.script.commands;
    const command = statement?.command;
    if (more.length > 0 || statement?.background || command?.type !== "Command") return false;
    if (!command.name || command.prefix.length > 0 || command.redirects.length > 0) return false;
    const words = [command.name, ...command.args];
    return PROVEN.test(words.map((word) => word.type === "Word" && !word.parts ? word.text : UNKNOWN).join(" "));
  }

  #command(node: Command, place: Place): void {
    this.#remember(node, place);
    if (!node.name) return;
    const parts = [node.name, ...node.args.map(toWord)];
    // bash takes `r>()m` for one word, made when it runs.
    if (parts.some((word, i) => i > 0 && word.pos === parts[i - 1]!.end)) {
      this.#findings.opaque("a word made of pieces");
    }
    const words = parts.map((word) => this.#word(word, place));
    const text = place.source.slice(node.name.pos, (node.args.at(-1) ?? node.name).end);
    const { lines, readsShell, perhaps } = readCall({ text, words, carried: place.carried > 0 }, this.#findings);
    for (const line of lines) this.#text(line, place.carried + 1);
    for (const text of programsNamed(words)) this.#findings.commands.push(...this.#carriedCalls(text, place));
    for (const line of perhaps.texts) perhaps.calls.push(...this.#suspected(line, place));
    if (readsShell) { for (const redirect of node.redirects) this.#input(redirect, place); }
  }

  /** Calls in a text that may be no shell at all: kept apart from what is known to run. */
  #suspected(text: string, place: Place): readonly SimpleCommand[] {
    if (!this.#affords(text, place.carried + 1)) {
      this.#findings.opaque("commands inside commands without end");
      return [];
    }
    const walk = new Walk(this.#parser);
    walk.#read = this.#read;
    walk.#text(text, place.carried + 1);
    this.#read = walk.#read;
    return walk.#findings.commands;
  }

  #carriedCalls(text: string, place: Place): readonly SimpleCommand[] {
    return this.#suspected(text, place).map((call) => ({ ...call, carried: true }));
  }

  /** Variables set once to known text help to recognise a denied command behind them. */
  #remember(node: Command, place: Place): void {
    for (const assignment of node.prefix) {
      if (assignment.type !== "Assignment") continue;
      const value = assignment.value.type === "Word" ? this.#word(assignment.value, place) : undefined;
      if (value) {
        const named = programsNamed([{ ...value, value: `${assignment.name}=${value.value}` }]);
        for (const text of named) this.#findings.commands.push(...this.#carriedCalls(text, place));
      }
      const once = value?.computed === "no" && !assignment.append && !assignment.index;
      this.#values.set(assignment.name, once && !this.#values.has(assignment.name) ? value.value : undefined);
    }
  }

  #input(redirect: Redirection, place: Place): void {
    if (redirect.type === "HereDoc") return this.#text(redirect.body.text, place.carried + 1);
    if (redirect.type !== "HereString" || !redirect.target) return;
    const word = this.#word(redirect.target, place);
    if (word.computed === "no") this.#text(word.value, place.carried + 1);
    else this.#findings.complete = false;
  }
}

/** `GIT_EDITOR='rm x'`: whoever reads the variable runs what it says, so deny rules see it. */
function programsNamed(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap(({ value, computed }) => {
    const assigned = /^([A-Za-z_]\w*)=(.+)$/s.exec(value);
    return computed === "no" && assigned && NAMES_PROGRAM.test(assigned[1]!) ? [assigned[2]!.replace(/^\|/, "")] : [];
  });
}

/** `export X=…` has an assignment among its words. */
function toWord(argument: CommandArgument): Word {
  if (argument.type === "Word") return argument;
  const { text, pos, end, value } = argument;
  const parts = value.type === "Word" ? value.parts : undefined;
  const name = { type: "Literal", value: `${argument.name}=`, text: `${argument.name}=`, pos, end: pos } as const;
  return { type: "Word", text, value: text, pos, end, ...(parts ? { parts: [name, ...parts] } : {}) };
}
