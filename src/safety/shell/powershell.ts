/**
 * A PowerShell command line, analysed. PowerShell is not parsed: what is more than commands with plain words, pipes and
 * separators counts as computed or as carried text, and a person decides. The search for denied commands looks at every
 * place where a command can begin.
 */
import type { CommandAnalysis, ShellWord } from "./analysis.ts";
import { opaqueAnalysis, toAnalysis } from "./analyze.ts";
import { carriedText } from "./carried.ts";
import { Findings } from "./findings.ts";
import { judge } from "./judge.ts";
import { plainWord, UNKNOWN } from "./word.ts";

const LONGEST = 32 * 1024;

/** Cmdlets that only read, and the aliases people type. Common parameters that set variables are not among theirs. */
const READERS: ReadonlySet<string> = new Set(
  `get-childitem gci dir ls get-content gc cat type get-location gl pwd get-item gi get-process gps ps get-service gsv
   get-date get-command gcm get-filehash get-member gm get-variable get-alias gal get-psdrive get-itemproperty gp
   select-string sls measure-object measure select-object select sort-object sort group-object group compare-object diff
   format-table ft format-list fl format-wide test-path resolve-path rvpa split-path write-output echo write-host
   out-string set-location cd chdir sl push-location pushd pop-location popd convertfrom-json convertto-json
   get-host get-culture get-uiculture get-random get-unique gu`.split(/\s+/),
);

/** Programs outside PowerShell whose reading the shared table knows. */
const PROGRAMS = new Set("git rg go fd node npm python deno cargo rustc".split(" "));

const RUNNERS: ReadonlySet<string> = new Set(
  `invoke-expression iex invoke-command icm start-process saps start invoke-item ii add-type set-alias sal new-alias nal
   new-object import-module ipmo invoke-wmimethod invoke-cimmethod start-job sajb register-objectevent set-variable
   sv`.split(/\s+/),
);

/** Names that rules are written for, by alias. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    rm: "Remove-Item",
    del: "Remove-Item",
    erase: "Remove-Item",
    rd: "Remove-Item",
    ri: "Remove-Item",
    rmdir: "Remove-Item",
    cp: "Copy-Item",
    copy: "Copy-Item",
    cpi: "Copy-Item",
    mv: "Move-Item",
    move: "Move-Item",
    mi: "Move-Item",
    ren: "Rename-Item",
    rni: "Rename-Item",
    kill: "Stop-Process",
    spps: "Stop-Process",
    curl: "Invoke-WebRequest",
    wget: "Invoke-WebRequest",
    iwr: "Invoke-WebRequest",
    irm: "Invoke-RestMethod",
    iex: "Invoke-Expression",
    icm: "Invoke-Command",
    saps: "Start-Process",
    start: "Start-Process",
    sc: "Set-Content",
    ac: "Add-Content",
    clc: "Clear-Content",
    cat: "Get-Content",
    type: "Get-Content",
    gc: "Get-Content",
    ls: "Get-ChildItem",
    dir: "Get-ChildItem",
    gci: "Get-ChildItem",
    ni: "New-Item",
    md: "mkdir",
  }),
);

export function analyzePowerShell(command: string): CommandAnalysis {
  if (command.includes("\u0000")) return opaqueAnalysis("it holds a NUL character");
  if (command.length > LONGEST) return opaqueAnalysis("it is too long to look through");
  const findings = new Findings();
  const { parts, closed } = split(command, findings);
  if (!closed) findings.opaque("a quote without an end");
  for (const part of parts) readPart(part, findings);
  if (findings.commands.length === 0) findings.opaque("no command was found in it");
  return toAnalysis(findings);
}

interface Part {
  readonly text: string;
  readonly words: readonly ShellWord[];
}

/** Words and the places where one command ends and another may begin. */
function split(command: string, findings: Findings): { readonly parts: readonly Part[]; readonly closed: boolean } {
  const parts: Part[] = [];
  let words: ShellWord[] = [];
  let word: { text: string; value: string; computed: boolean } | undefined;
  let began = 0;
  let at = 0;
  const put = (text: string, value = text, computed = false) => {
    word ??= { text: "", value: "", computed: false };
    word.text += text;
    word.value += value;
    word.computed ||= computed;
  };
  const endWord = () => {
    if (word) {
      words.push(
        word.computed
          ? { ...plainWord(word.value), text: word.text, computed: "yes", splits: true }
          : { ...plainWord(word.value), text: word.text },
      );
    }
    word = undefined;
  };
  const endPart = () => {
    endWord();
    if (words.length > 0) parts.push({ text: command.slice(began, at).trim(), words });
    words = [];
    began = at + 1;
  };
  for (; at < command.length; at++) {
    const char = command[at]!;
    if (char === "'" || char === '"') {
      const end = closing(command, at);
      if (end < 0) return { parts: finish(), closed: false };
      const inner = command.slice(at + 1, end);
      const computed = char === '"' && /[$`]/.test(inner);
      if (computed) findings[/\$\(|`/.test(inner) ? "nested" : "dynamic"].add("text that PowerShell computes");
      put(command.slice(at, end + 1), computed ? UNKNOWN : inner.replaceAll(char + char, char), computed);
      at = end;
    } else if (/[;\n\r|]/.test(char)) {
      endPart();
    } else if (char === "&") {
      if (command[at + 1] !== "&") {
        findings.nested.add("a command that is called by its text or sent to the background");
      }
      endPart();
    } else if (/[(){}]/.test(char)) {
      findings.nested.add("an expression or a script block");
      endPart();
    } else if (char === "`" || char === "[" || char === "@" || char === "%") {
      findings.nested.add("syntax beyond plain words");
      put(char, UNKNOWN, true);
    } else if (char === "$") {
      if (!/^\$(null|true|false)\b/i.test(command.slice(at))) findings.computes("a variable");
      put(char, UNKNOWN, true);
    } else if (char === ">" || char === "<") {
      at = redirect(command, at, findings);
      endWord();
    } else if (char === "#" && !word) {
      while (at < command.length && command[at] !== "\n") at++;
      endPart();
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      put(char);
      if (/^-(OutVariable|ov|ErrorVariable|ev|PipelineVariable|pv)$/i.test(word!.value)) {
        findings.computes("a variable");
      }
    }
  }
  return { parts: finish(), closed: true };

  function finish(): readonly Part[] {
    endPart();
    return parts;
  }
}

/** Past `> $null` and `2>&1`, which only discard or merge; anything else writes. */
function redirect(command: string, at: number, findings: Findings): number {
  const discards = /^>{1,2}\s*(\$null\b|NUL\b|&\d)/i.exec(command.slice(at));
  if (discards) return at + discards[0].length - 1;
  findings.computes("a redirect to or from a file");
  const target = /^>{1,2}\s*([^\s;|&]+)/.exec(command.slice(at));
  if (target) findings.mayWrite.add(target[1]!.replace(/^["']|["']$/g, ""));
  return at;
}

/** Index of the quote that ends the string; a doubled quote is part of it. */
function closing(command: string, start: number): number {
  const quote = command[start]!;
  for (let at = start + 1; at < command.length; at++) {
    if (quote === '"' && command[at] === "`") at++;
    else if (command[at] === quote && command[at + 1] === quote) at++;
    else if (command[at] === quote) return at;
  }
  return -1;
}

function readPart({ text, words }: Part, findings: Findings): void {
  const program = words[0]!;
  const name = program.value.toLowerCase().replace(/\.exe$/, "");
  const full = ALIASES.get(name);
  const suspects = full === undefined ? [] : [[{ ...program, value: full }, ...words.slice(1)]];
  let readOnly = false;
  if (program.computed !== "no" || /["']/.test(program.text)) {
    findings.nested.add("a command name that is only known when it runs");
  } else if (RUNNERS.has(name) || name === ".") {
    findings.nested.add(`\`${program.text}\` runs text or other programs`);
  } else {
    const code = carriedText(words);
    if (code) findings.nested.add(code.reason);
    const plain = words.every(({ computed }) => computed === "no");
    const verdict = judge(words);
    readOnly = plain && !code && (READERS.has(name) || (PROGRAMS.has(name) && verdict.readOnly));
    if (readOnly && verdict.gitFolder !== undefined) findings.gitFolders.add(verdict.gitFolder);
  }
  if (!readOnly) {
    for (const word of words.slice(1)) {
      if (word.computed === "no" && word.value !== "") findings.mayWrite.add(word.value.replaceAll("\\", "/"));
    }
  }
  findings.commands.push({
    text,
    layers: [{ words, skipped: 0, harmless: true }],
    suspects,
    perhaps: [],
    carried: false,
    readOnly,
    known: READERS.has(name) || full !== undefined || (program.computed === "no" && judge(words).known),
  });
}
