/**
 * What the menu over the composer offers: commands after `/`, files and resources of servers after `@`. Files are
 * listed one folder at a time; choosing a folder goes into it, choosing a file ends the reference. Ignored files come
 * last, and resources stand behind the entries of the root.
 */
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from "@earendil-works/pi-tui";
import type { ServerResource } from "../../../contract/servers.ts";
import type { CommandView } from "../../../controller/mod.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { Translate } from "../../view/mod.ts";
import type { FolderEntry } from "../ports.ts";

export interface CompletionPorts {
  commands(): readonly CommandView[];
  /** Entries of a folder of the workspace, `""` for the root; `[]` when it cannot be read. */
  list(folder: string, signal: AbortSignal): Promise<readonly FolderEntry[]>;
  /** Of the servers that are connected now. */
  resources(): readonly ServerResource[];
  readonly t: () => Translate;
}

/** Files offered of one folder, and resources of all servers. */
const MOST = 200;

type Completed = ReturnType<AutocompleteProvider["applyCompletion"]>;

export class Completion implements AutocompleteProvider {
  readonly triggerCharacters = ["@"];
  readonly #ports: CompletionPorts;

  constructor(ports: CompletionPorts) {
    this.#ports = ports;
  }

  async getSuggestions(
    lines: string[],
    line: number,
    column: number,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[line] ?? "").slice(0, column);
    const name = line === 0 ? /^\/(\S*)$/.exec(before) : null;
    if (name) return this.#commands(name[1]!);
    const reference = referenceBefore(before);
    if (reference === undefined) return null;
    const items = [...await this.#files(reference.path, signal), ...this.#resources(reference.path)];
    return items.length === 0 || signal.aborted ? null : { items, prefix: reference.typed };
  }

  applyCompletion(lines: string[], line: number, column: number, item: AutocompleteItem, prefix: string): Completed {
    const text = lines[line] ?? "";
    const before = text.slice(0, column);
    const name = item.value.startsWith("/") ? /^\/\S*$/.exec(before)?.[0] : referenceBefore(before)?.typed;
    // More may be typed by now than the menu was made for.
    const start = column - (name ?? prefix).length;
    const whole = item.value.endsWith("/") && !item.value.startsWith("/") ? item.value : `${item.value} `;
    const after = text.slice(column).replace(/^\S*"?/, (rest) => item.value.includes('"') ? "" : rest);
    const changed = [...lines];
    changed[line] = text.slice(0, start) + whole + after.replace(/^ /, whole.endsWith(" ") ? "" : " ");
    return { lines: changed, cursorLine: line, cursorCol: start + whole.length };
  }

  #commands(typed: string): AutocompleteSuggestions | null {
    const items = this.#ports.commands().flatMap((command) =>
      [command.name, ...(command.aliases ?? [])].slice(0, typed === "" ? 1 : undefined).map((name) => ({
        value: `/${name}`,
        label: `/${toLine(name)}${command.argumentHint ? ` ${toLine(command.argumentHint, 30)}` : ""}`,
        description: this.#group(command.group) + toLine(command.summary),
      }))
    );
    const fits = typed === "" ? items : fuzzyFilter(items, typed, (item) => item.value);
    return fits.length === 0 ? null : { items: fits, prefix: `/${typed}` };
  }

  /** Whose command it is, where it is not the program's own. */
  #group(group: CommandView["group"]): string {
    return group === "built_in" ? "" : `${this.#ports.t()(`completion.${group}`)} · `;
  }

  /** An address has slashes of its own, so it is compared whole; in a folder it fits nothing. */
  #resources(typed: string): AutocompleteItem[] {
    const known = this.#ports.resources().map(({ server, uri, name }) => ({ ref: `${server}:${uri}`, name }))
      // What a reference in a message cannot name is not offered.
      .filter(({ ref }) => /^[^\s"'`<>|@]+$/.test(ref));
    const begun = known.filter(({ ref }) => ref.startsWith(typed));
    const found = begun.length > 0 || typed.includes("/")
      ? begun
      : fuzzyFilter(known, typed, ({ ref, name }) => `${ref} ${name}`);
    return found.slice(0, MOST).map(({ ref, name }) => ({
      value: `@${ref}`,
      label: toLine(ref),
      description: this.#group("mcp") + toLine(name),
    }));
  }

  async #files(typed: string, signal: AbortSignal): Promise<AutocompleteItem[]> {
    const slash = typed.lastIndexOf("/");
    const folder = typed.slice(0, slash + 1);
    const name = typed.slice(slash + 1);
    const entries = (await this.#ports.list(folder.replace(/\/$/, ""), signal))
      .filter((entry) => name.startsWith(".") || !entry.name.startsWith("."));
    const found = name === "" ? entries : fuzzyFilter([...entries], name, (entry) => entry.name);
    // Folders and files of the project first; within each part the better match, or the name, decides.
    const ordered = [...found.filter((entry) => !entry.ignored), ...found.filter((entry) => entry.ignored)];
    const t = this.#ports.t();
    return ordered.slice(0, MOST).map((entry) => {
      const path = `${folder}${entry.name}${entry.folder ? "/" : ""}`;
      const hint = [entry.folder ? t("completion.folder") : "", entry.ignored ? t("completion.ignored") : ""];
      return {
        value: /[\s"]/.test(path) ? `@"${path}${entry.folder ? "" : '"'}` : `@${path}`,
        label: toLine(entry.name) + (entry.folder ? "/" : ""),
        description: hint.filter((word) => word !== "").join(", "),
      };
    });
  }
}

interface Reference {
  /** As typed, from the `@`. */
  readonly typed: string;
  readonly path: string;
}

/** The `@` reference the caret stands in. An `@` inside a word, as in an address, is none. */
function referenceBefore(before: string): Reference | undefined {
  const found = /(?:^|[\s([{<])(@(?:"([^"]*)|([^\s"]*)))$/.exec(before);
  if (!found) return undefined;
  return { typed: found[1]!, path: found[2] ?? found[3] ?? "" };
}
