/**
 * `completion bash|zsh|fish`: short scripts that ask the program itself, so they never go stale. Each TAB runs
 * `reasonix completion __complete CWORD WORDS…`, which loads nothing but the table of commands.
 */
import { ownValue } from "../../lib/own_value.ts";
import { type CommandContext, COMMANDS, COMPLETE, findCommand } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { findFlag, isFlag, spellings, UsageError } from "./flags.ts";

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_reasonix() {
  local word="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <("\${COMP_WORDS[0]}" completion __complete "$COMP_CWORD" "\${COMP_WORDS[@]}" 2>/dev/null)
  if [ \${#COMPREPLY[@]} -eq 0 ]; then while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word"); fi
}
complete -o filenames -F _reasonix reasonix`,
  zsh: `#compdef reasonix
_reasonix() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion __complete $((CURRENT - 1)) "\${words[@]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _reasonix reasonix`,
  fish: `function __reasonix_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] completion __complete (math (count $words) - 1) $words 2>/dev/null
end
complete -c reasonix -a '(__reasonix_complete)'`,
};

export function run(context: CommandContext): Promise<number> {
  const { out } = context.streams;
  const [shell, at, ...words] = context.argv;
  if (shell === COMPLETE) {
    for (const candidate of candidates(words, Number(at))) out.line(candidate);
    return Promise.resolve(EXIT.success);
  }
  const script = context.argv.length === 1 ? ownValue(SCRIPTS, shell ?? "") : undefined;
  if (script === undefined) throw new UsageError("usage: reasonix completion bash | zsh | fish");
  out.line(script);
  return Promise.resolve(EXIT.success);
}

/** What may stand at position `at` of the line; position 0 is the program. */
export function candidates(words: readonly string[], at: number): string[] {
  const start = words[at] ?? "";
  const before = words.slice(1, at);
  const command = before.map(findCommand).find((found) => found !== undefined);
  const fits = (list: readonly string[]) => list.filter((word) => word.startsWith(start));
  if (command === undefined) {
    return fits([...COMMANDS.filter((entry) => !entry.hidden).map((entry) => entry.name), "--help", "--version"]);
  }
  const last = before.at(-1) ?? "";
  const flag = isFlag(last) ? findFlag(last, command.flags) : undefined;
  if (flag && flag.takes !== "nothing") return fits(flag.choices ?? []);
  if (isFlag(start) || start === "-") {
    return fits(command.flags.filter((entry) => !entry.hidden).flatMap(spellings));
  }
  if (command.name === "help") return fits(COMMANDS.map((entry) => entry.name));
  return before.at(-1) === command.name ? fits(command.words ?? []) : [];
}
