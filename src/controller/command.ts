/**
 * Slash commands as every frontend sees them: one list, one dispatch, one kind of answer. A command acts on the
 * session; its line never becomes a request to the model, only what a custom command expands to does.
 */

export type CommandGroup = "built_in" | "custom" | "skill" | "mcp";

export interface CommandView {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line of help. */
  readonly summary: string;
  /** Such as `[LEVEL]`; empty for none. */
  readonly argumentHint: string;
  /** More than the line of help: Markdown. */
  readonly details?: string;
  readonly group: CommandGroup;
}

export type CommandAnswer =
  /** Markdown to show. */
  | { readonly kind: "text"; readonly text: string; readonly bar?: ContextBar }
  /** Done; a short line to show, or nothing. `draft`: words of the person that go back into the composer. */
  | { readonly kind: "done"; readonly text?: string; readonly draft?: string }
  /** Wrong arguments or a wrong moment: what is wrong, and the usage. */
  | { readonly kind: "error"; readonly text: string }
  /** The next user turn. */
  | { readonly kind: "prompt"; readonly text: string }
  /** A picker or panel the frontend draws; without one it shows `text`. */
  | { readonly kind: "screen"; readonly screen: CommandScreen; readonly text: string }
  /** Skills to switch on and off. A frontend without a panel for them shows `text`. */
  | {
    readonly kind: "skills";
    readonly skills: readonly SkillRow[];
    readonly text: string;
    /** What a new look brought up; one line each. */
    readonly notices?: readonly string[];
  }
  /** The frontend's own business; one that cannot do it shows `text`, or says that it cannot. */
  | { readonly kind: "frontend"; readonly action: FrontendAction; readonly argument: string; readonly text?: string }
  /** No such command: the line is an ordinary message, and the person is told. */
  | { readonly kind: "unknown"; readonly nearest?: string };

export type FrontendAction =
  /** The list of commands and keys. `argument`: empty. */
  | "help"
  /** Clear what is visible. */
  | "cls"
  | "quit"
  /** `argument`: the text for the clipboard. */
  | "copy"
  /** `argument`: guidance for the running turn. */
  | "steer"
  | "verbose"
  | "diff-fold"
  | "mouse"
  | "paste-image"
  /** Messages that wait for the running turn. `argument`: empty for the list, or `edit ID` of one to take up. */
  | "queue"
  /** Ask for a key without showing it, and send it as `save_key`. `argument`: the name of its variable. */
  | "secret"
  /** `argument`: `name value` of a setting that was just saved. */
  | "setting";

/** What fills the context window, for a bar. Tokens, estimated. */
export interface ContextBar {
  readonly parts: readonly { readonly kind: string; readonly label: string; readonly tokens: number }[];
  readonly used: number;
  /** 0 unknown. */
  readonly window: number;
  /** Where the older part is folded. */
  readonly trigger: number;
  /** What a screen that draws the bar says below it, in place of the text. */
  readonly caption: string;
}

/** Data of pickers: rows to choose from, and the line that a choice sends back as a command. */
export interface CommandScreen {
  readonly title: string;
  readonly rows: readonly CommandRow[];
  /** Such as `no sessions yet`. */
  readonly empty: string;
}

export interface CommandRow {
  readonly label: string;
  readonly detail?: string;
  /** The row in force now. */
  readonly current?: boolean;
  /** Command lines by key; `enter` is the main one. */
  readonly actions: Readonly<Record<string, { readonly label: string; readonly line: string }>>;
}

/** One skill. It is switched by a line such as `/skills enable tidy disable deploy`. */
export interface SkillRow {
  readonly name: string;
  readonly description: string;
  readonly scope: "project" | "custom" | "global" | "built_in";
  /** Its file, for people. */
  readonly place: string;
  readonly on: boolean;
  /** Who may begin it when it is on: the model and the person, the person alone, or nobody yet. */
  readonly use: "model" | "person" | "nobody";
}

export interface Commands {
  /** In menu order. */
  list(): readonly CommandView[];
  /** `line` with its slash. Never rejects but for a defect. */
  run(line: string): Promise<CommandAnswer>;
}
