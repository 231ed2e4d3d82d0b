/**
 * From the parser's tree to every program call in it. Whatever the tree holds is visited, so a command cannot hide in a
 * loop, a function, a substitution or a here-document; text that a call would run (`sh -c '…'`) is parsed and visited too.
 */
import type {
  Command,
  HereDoc,
  HereString,
  ParsedScript,
  Pipeline,
  Redirect,
  SyntaxNode,
  TestExpression,
  Word,
  WordPart,
} from "unbash";
import type { Layer, ShellWord, SimpleCommand } from "./analysis.ts";
import { evaluates, hidesCode, judge } from "./judge.ts";
import { type ReadOptions, readOptions } from "./options.ts";
import { EVALUATORS, INTERPRETERS, POWERSHELLS, SHELL_OPTIONS, SHELLS } from "./runners.ts";
import { baseName, literalWord, readWord, UNKNOWN } from "./word.ts";
import { type Wrapper, WRAPPERS } from "./wrappers.ts";

export interface Parser {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** How deep text may carry text that carries text. */
const MOST_CARRIED = 8;
/** Work bound: strings that carry strings can repeat themselves without end. */
const MOST_COMMANDS = 20_000;

interface Place {
  readonly source: string;
  /** Depth of strings that carry commands. */
  readonly carried: number;
  readonly loopNames: ReadonlySet<string>;
}

/** What a walk found; `reasons` are phrases for people. */
export class Findings {
  readonly commands: SimpleCommand[] = [];
  readonly nested = new Set<string>();
  readonly dynamic = new Set<string>();
  /** What alone keeps the line from being read-only, beside its commands. */
  readonly acts = new Set<string>();
  readonly heredocs: string[] = [];
  readonly mayWrite = new Set<string>();
  complete = true;
}

export class Walk {
  readonly findings = new Findings();
  readonly #parser: Parser;
  readonly #values = new Map<string, string | undefined>();
  readonly #hidden: string[] = [];

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Parses and visits a whole line, or a string that one of its commands runs. */
  text(source: string, carried = 0): void {
    if (carried > MOST_CARRIED || this.findings.commands.length > MOST_COMMANDS) {
      this.#opaque("it carries commands inside commands too deeply");
      return;
    }
    let script: ParsedScript;
    try {
      script = this.#parser.parse(source);
    } catch {
      this.#opaque("it cannot be parsed");
      return;
    }
    this.#visit(script, { source, carried, loopNames: new Set() });
  }

  #opaque(reason: string): void {
    this.findings.complete = false;
    this.findings.nested.add(reason);
  }

  #visit(node: SyntaxNode, place: Place): void {
    const { dynamic, nested, acts } = this.findings;
    switch (node.type) {
      case "Script":
        if (node.errors?.length) this.#opaque("it cannot be parsed");
        if (node.source !== undefined) place = { ...place, source: node.source };
        break;
      case "Statement":
        if (node.background) acts.add("it runs in the background");
        break;
      case "Command":
        return this.#command(node, place);
      case "Pipeline":
        this.#pipeline(node);
        break;
      case "Redirect":
        this.#redirect(node, place);
        break;
      case "HereDoc":
        this.#heredoc(node);
        break;
      case "HereString":
        dynamic.add("a here-string");
        break;
      case "Assignment":
        dynamic.add("an assignment");
        acts.add("an assignment");
        break;
      case "SimpleExpansion":
      case "ParameterExpansion":
        this.#expansion(node, place);
        break;
      case "CommandExpansion":
        nested.add("command substitution");
        if (!node.script) this.#opaque("it cannot be parsed");
        break;
      case "ProcessSubstitution":
        nested.add("process substitution");
        acts.add("process substitution");
        if (!node.script) this.#opaque("it cannot be parsed");
        break;
      case "ArithmeticExpansion":
      case "ArithmeticCommand":
      case "ArithmeticFor":
        dynamic.add("arithmetic");
        acts.add("arithmetic");
        if (node.type === "ArithmeticCommand") this.#alsoScript(node.body, place);
        this.#evaluation();
        break;
      case "Glob":
        dynamic.add("file name patterns");
        break;
      case "BraceExpansion":
      case "ExtendedGlob":
        dynamic.add("brace expansion or patterns");
        acts.add("brace expansion or patterns");
        break;
      case "Function":
        dynamic.add("a function");
        acts.add("a function");
        break;
      case "Coproc":
        dynamic.add("a coprocess");
        acts.add("a coprocess");
        break;
      case "Select":
        acts.add("it asks for input");
        break;
      case "TestBinary":
      case "TestUnary":
        this.#test(node);
        break;
      case "For": {
        const known = node.wordlist?.every((word) => ["no", "glob"].includes(this.#word(word, place).computed)) ??
          false;
        const name = node.name.value;
        this.#values.set(name, undefined);
        for (const word of node.wordlist ?? []) this.#visit(word, place);
        const loopNames = new Set(place.loopNames);
        if (known) loopNames.add(name);
        else loopNames.delete(name);
        return this.#visit(node.body, { ...place, loopNames });
      }
      case "Word":
        if (!node.parts && hidesCode(node.value)) this.#hidden.push(node.value);
        break;
      case "SingleQuoted":
      case "AnsiCQuoted":
        if (hidesCode(node.value)) this.#hidden.push(node.value);
        break;
    }
    this.#parser.forEachChild(node, (child) => this.#visit(child, place));
  }

  /** A shell without arithmetic commands takes `((rm x))` for two subshells. */
  #alsoScript(body: string, place: Place): void {
    if (/^[\s\w$+\-*/%<>=!&|^~?:,()[\]]*$/.test(body) && !/[A-Za-z_]\w*\s+[\w./-]/.test(body)) return;
    this.findings.nested.add("double parentheses that may be commands");
    this.text(body, place.carried + 1);
  }

  /** Arithmetic evaluates what its variables hold, so code may hide in text of the same line. */
  #evaluation(): void {
    this.findings.acts.add("arithmetic");
    this.#evaluates = true;
  }
  #evaluates = false;

  /** To be asked after the walk. */
  close(): Findings {
    if (this.#evaluates && this.#hidden.length > 0) {
      this.findings.nested.add("text that arithmetic would run");
      for (const text of this.#hidden) this.#substitutionsIn(text);
    }
    return this.findings;
  }

  #substitutionsIn(text: string): void {
    this.text(`: "${text.replace(/"/g, "")}"`, 1);
  }

  #expansion(node: SyntaxNode & { type: "SimpleExpansion" | "ParameterExpansion" }, place: Place): void {
    this.findings.dynamic.add("a parameter expansion");
    if (node.type === "SimpleExpansion") {
      if (!place.loopNames.has(node.text.slice(1))) this.findings.acts.add("a parameter expansion");
      return;
    }
    const operation = node.operation;
    if (operation?.type === "Transform" && operation.operand.value.includes("P")) {
      this.findings.nested.add("an expansion that runs what a variable holds");
    } else if (node.prefix === "!" || operation?.type === "Unknown") {
      this.findings.nested.add("an indirect expansion");
    }
    if (node.index !== undefined || operation?.type === "Slice") this.#evaluation();
    const plain = node.prefix === undefined && node.index === undefined && operation === undefined;
    if (!plain || !place.loopNames.has(node.parameter)) this.findings.acts.add("a parameter expansion");
  }

  #test(node: TestExpression & { type: "TestBinary" | "TestUnary" }): void {
    if (/^-(eq|ne|lt|le|gt|ge|v|R)$/.test(node.operator)) this.#evaluation();
  }

  #pipeline(node: Pipeline): void {
    // `time` and `!` change nothing about what runs.
    if (node.operators.length > 0) this.findings.mayWrite.size;
  }

  #redirect(node: Redirect, place: Place): void {
    const { findings } = this;
    const target = node.target ? this.#word(node.target, place) : undefined;
    const descriptor = target?.computed === "no" && /^(\d+-?|-)$/.test(target.value);
    if ((node.operator === ">&" || node.operator === "<&") && descriptor) return;
    if (target?.computed === "no" && target.value === "/dev/null") return;
    findings.dynamic.add("a redirect");
    findings.acts.add("a redirect to or from a file");
    if (target && /^\/dev\/(tcp|udp)\//.test(target.value)) findings.nested.add("a redirect that opens a connection");
    if (node.operator !== "<" && target?.computed === "no") findings.mayWrite.add(target.value);
  }

  #heredoc(node: HereDoc): void {
    this.findings.dynamic.add("a here-document");
    this.findings.heredocs.push(node.body.text);
    if (!node.closing) this.#opaque("a here-document has no end");
  }

  #word(word: Word, place: Place): ShellWord {
    return readWord(word, {
      loopNames: place.loopNames,
      isProven: (part) => this.#isProven(part),
      valueOf: (name) => this.#values.get(name),
    });
  }

  /** `"$(pwd)"` and its like: the output is one word, and a harmless one. */
  #isProven(part: WordPart): boolean {
    if (part.type !== "CommandExpansion" || !part.script || part.script.errors?.length) return false;
    const [statement, ...more] = part.script.commands;
    if (more.length > 0 || statement?.command.type !== "Command" || statement.background) return false;
    const command = statement.command;
    if (command.prefix.length > 0 || command.redirects.length > 0 || !command.name) return false;
    const words = [command.name, ...command.args].map((word) =>
      word.type === "Word" && !word.parts ? word.value : UNKNOWN
    );
    if (words.includes(UNKNOWN)) return false;
    return PROVEN.has(words.length <= 2 && /^(basename|dirname)$/.test(words[0]!) ? words[0]! : words.join(" "));
  }

  #command(node: Command, place: Place): void {
    const before = this.findings.commands.length;
    const name = node.name;
    const words = (name ? [name] : []).concat(node.args.map(toWord)).map((word) => this.#word(word, place));
    for (const prefix of node.prefix) {
      if (prefix.type !== "Assignment" || prefix.value.type !== "Word") continue;
      const value = this.#word(prefix.value, place);
      const known = value.computed === "no" && !this.#values.has(prefix.name) && !prefix.append && !prefix.index;
      this.#values.set(prefix.name, known ? value.value : undefined);
    }
    if (words.length > 0) {
      const text = place.source.slice(start(node), end(node));
      this.#call(text, words, node, place);
    }
    // The rest of the tree below: substitutions in words, here-documents, assignments.
    const proven = this.findings.nested.has("command substitution");
    this.#parser.forEachChild(node, (child) => this.#visit(child, place));
    const call = this.findings.commands[before];
    if (!proven && call?.readOnly && words.some((word) => word.computed === "proven")) {
      // stays nested for allow rules; reading is judged by the call alone
    }
  }

  /** One call: takes wrappers off, judges the program, follows text that it would run. */
  #call(text: string, words: readonly ShellWord[], node: Command | undefined, place: Place): void {
    const carried = place.carried > 0;
    const layers = this.#unwrap(words, place);
    const inner = layers.at(-1)!.words;
    const program = inner[0];
    let readOnly = false;
    let known = false;
    if (program === undefined) {
      readOnly = layers.length > 1 && layers.at(-1)!.harmless;
      known = true;
    } else if (program.computed !== "no") {
      this.findings.nested.add("a command name that is only known when it runs");
    } else {
      const direct = this.#follow(inner, node, place);
      const judged = judge(inner);
      if (judged.runs !== undefined) this.findings.nested.add(judged.runs);
      if (evaluates(program.value, inner)) this.findings.nested.add("an argument that the shell would run");
      known = judged.known || direct;
      readOnly = judged.readOnly && !direct && layers.every((layer, i) => i === 0 || layer.harmless);
    }
    if (!readOnly) this.#noteWrites(inner);
    if (words.some((word) => /[\x00-\x08\x0b-\x1f\x7f]/.test(word.computed === "no" ? word.value : ""))) {
      this.findings.dynamic.add("control characters");
      readOnly = false;
    }
    this.findings.commands.push({ text, layers, carried, readOnly, known });
  }

  #unwrap(words: readonly ShellWord[], place: Place): readonly Layer[] {
    const layers: Layer[] = [{ words, skipped: 0, harmless: true }];
    for (let current = words, skipped = 0; current.length > 0 && layers.length < 32;) {
      const wrapper = current[0]!.computed === "no" ? WRAPPERS.get(baseName(current[0]!.value)) : undefined;
      if (!wrapper) break;
      const inner = this.#take(current, wrapper, place);
      if (!inner) break;
      skipped += inner.skipped;
      current = inner.words;
      const harmless = layers.at(-1)!.harmless && inner.harmless &&
        layers.at(-1)!.words[0]!.value === baseName(layers.at(-1)!.words[0]!.value);
      layers.push({ words: current, skipped, harmless });
    }
    return layers;
  }

  /** The call inside a wrapper, or undefined where there is none to be found. */
  #take(words: readonly ShellWord[], wrapper: Wrapper, place: Place): Layer | undefined {
    let at = 1;
    if (wrapper.verbs) {
      const outer = readOptions(words, at, wrapper.options);
      at = outer.rest;
      const verb = wrapper.verbs.find((verbs) => verbs.every((word, i) => words[at + i]?.value === word));
      if (!verb) return undefined;
      at += verb.length;
    }
    const read: ReadOptions = readOptions(words, at, wrapper.options);
    const line = read.found.find((option) => wrapper.lineOption?.includes(option.name));
    if (line) this.#line(line.value ?? (line.text === undefined ? undefined : literalWord(line.text)), place);
    const split = read.found.find((option) => option.name === "-S" || option.name === "--split-string");
    if (wrapper.assigns && split && words[0]!.value === "env") {
      this.#line(split.value ?? literalWord(split.text ?? ""), place);
    }
    if (read.unknown !== undefined) return undefined;
    if (read.found.some((option) => wrapper.queries?.includes(option.name))) {
      return { words: [], skipped: words.length, harmless: wrapper.harmless === true };
    }
    at = read.rest + (wrapper.before ?? 0);
    while (wrapper.assigns && at < words.length && /^[A-Za-z_]\w*=/.test(words[at]!.value)) {
      this.findings.dynamic.add("an assignment");
      this.findings.acts.add("an assignment");
      at++;
    }
    if (at >= words.length) return undefined;
    const rest = words.slice(at);
    if (wrapper.line) {
      this.#line(rest.length === 1 ? rest[0] : literalWord(rest.map((word) => word.text).join(" ")), place);
    }
    if (wrapper.feeds) this.findings.acts.add("arguments from standard input");
    const spoiled = read.found.some((option) => wrapper.spoils?.includes(option.name));
    return { words: rest, skipped: at, harmless: wrapper.harmless === true && !spoiled };
  }

  /** Text that is run as a shell line. */
  #line(word: ShellWord | undefined, place: Place): void {
    this.findings.nested.add("a command line inside a string");
    if (word && word.computed === "no") this.text(word.value, place.carried + 1);
    else this.findings.complete = false;
  }

  /** Follows a program that runs text: true when it does. */
  #follow(words: readonly ShellWord[], node: Command | undefined, place: Place): boolean {
    const { nested } = this.findings;
    const name = baseName(words[0]!.value);
    const evaluator = EVALUATORS.get(name.toLowerCase()) ?? undefined;
    if (evaluator !== undefined) {
      if (
        evaluator === "always" ||
        words.slice(1).some(({ value }) => evaluator.some((option) => value.startsWith(option)))
      ) {
        nested.add(`\`${name}\` runs its arguments`);
        const args = words.slice(1).filter((word, i) => !(i === 0 && word.value === "--"));
        const code = name === "trap" ? args.slice(0, 1) : args;
        if (code.length > 0 && code.every((word) => word.computed === "no") && /^(eval|trap|iex|alias)$/.test(name)) {
          this.text(
            code.map(({ value }) => value.replace(/^\w+=/, name === "alias" ? "" : "$&")).join(" "),
            place.carried + 1,
          );
        }
        return true;
      }
      return false;
    }
    if (SHELLS.has(name)) return this.#shell(words, node, place);
    if (POWERSHELLS.has(name.replace(/\.exe$/i, "").toLowerCase()) || /^cmd(\.exe)?$/i.test(name)) {
      nested.add("a command line for another shell");
      const script = words.slice(1).filter(({ value }) => !/^[-/]/.test(value));
      this.#carriedWords(script, place);
      return true;
    }
    const interpreter = INTERPRETERS.get(name) ?? INTERPRETERS.get(name.replace(/[\d.]+$/, ""));
    if (interpreter) {
      const args = words.slice(1);
      const inline = args.some(({ value }) =>
        interpreter.inline.some((option) =>
          option.startsWith("--")
            ? value === option || value.startsWith(`${option}=`)
            : option.length === 2
            ? new RegExp(`^-[A-Za-z]*${option[1]}`).test(value)
            : value === option
        )
      );
      if (inline || interpreter.verbs?.includes(args[0]?.value ?? "")) {
        nested.add(`\`${name}\` runs a program from its arguments`);
        return true;
      }
      const asked = args.some(({ value }) => /^(-v|-V|--version|-h|--help)$/.test(value));
      const file = this.#script(args, interpreter.valued ?? "");
      if (interpreter.readsInput && !asked && (file === undefined || file === "-" || file === "/dev/stdin")) {
        nested.add(`\`${name}\` runs what it reads`);
        return true;
      }
    }
    return false;
  }

  /** The script file among an interpreter's arguments. */
  #script(args: readonly ShellWord[], valued: string): string | undefined {
    const swallow = valued.split(" ");
    for (let i = 0; i < args.length; i++) {
      const { value } = args[i]!;
      if (!value.startsWith("-") || value === "-") return value;
      const option = value.replace(/^--?/, "");
      if (swallow.includes(option)) {
        if (option === "m") return args[i + 1]?.value;
        i++;
      }
    }
    return undefined;
  }

  #shell(words: readonly ShellWord[], node: Command | undefined, place: Place): boolean {
    const { nested } = this.findings;
    const read = readOptions(words, 1, SHELL_OPTIONS);
    const lines = read.found.some((option) => option.name === "-c" || option.name === "--command");
    if (lines || read.unknown !== undefined) {
      nested.add("a command line inside a string");
      const line = read.found.find((option) => option.name === "--command")?.value ?? words[read.rest];
      if (line && line.computed === "no" && read.unknown === undefined) this.text(line.value, place.carried + 1);
      else this.findings.complete = false;
      return true;
    }
    const file = words[read.rest];
    if (
      file !== undefined && !read.found.some((option) => option.name === "-s") && file.value !== "/dev/stdin" &&
      file.value !== "-"
    ) {
      if (file.computed !== "no" && file.value === UNKNOWN) nested.add("a script that is only known when it runs");
      return false;
    }
    nested.add("a shell that runs what it reads");
    for (const redirect of node?.redirects ?? []) this.#input(redirect, place);
    return true;
  }

  #input(redirect: Redirect | HereDoc | HereString, place: Place): void {
    if (redirect.type === "HereDoc") return this.text(redirect.body.text, place.carried + 1);
    if (redirect.type === "HereString" && redirect.target) {
      const word = this.#word(redirect.target, place);
      if (word.computed === "no") this.text(word.value, place.carried + 1);
    }
  }

  /** Words in another shell's language: good enough to look for a denied command. */
  #carriedWords(words: readonly ShellWord[], place: Place): void {
    const text = words.map(({ value }) => value).join(" ");
    for (const part of text.split(/[;&|\n(){}]+/)) {
      const parts = part.trim().split(/\s+/).filter((word) => word !== "").map(literalWord);
      if (parts.length > 0) {
        this.findings.commands.push({
          text: part.trim(),
          layers: [{ words: parts, skipped: 0, harmless: false }],
          carried: true,
          readOnly: false,
          known: false,
        });
      }
    }
    void place;
  }

  #noteWrites(words: readonly ShellWord[]): void {
    for (const word of words.slice(1)) {
      if (word.computed === "yes") continue;
      this.findings.mayWrite.add(word.value);
      const equals = word.value.indexOf("=");
      if (equals > 0) this.findings.mayWrite.add(word.value.slice(equals + 1));
    }
  }
}

const PROVEN = new Set(["pwd", "basename", "dirname", "whoami", "git rev-parse --show-toplevel", "git rev-parse HEAD"]);

function toWord(argument: Command["args"][number]): Word {
  if (argument.type === "Word") return argument;
  // `export X=…`: the whole word counts; its value is visited on its own.
  const { pos, end, text } = argument;
  const parts = argument.value.type === "Word" ? argument.value.parts : undefined;
  return {
    type: "Word",
    text,
    value: text,
    pos,
    end,
    ...(parts ? { parts: [{ type: "Literal", pos, end: pos, value: `${argument.name}=`, text: "" }, ...parts] } : {}),
  };
}

function start(node: Command): number {
  return node.name?.pos ?? node.pos;
}

function end(node: Command): number {
  return Math.max(node.name?.end ?? node.end, ...node.args.map((word) => word.end));
}
