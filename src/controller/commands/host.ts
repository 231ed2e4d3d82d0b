/** What commands need of the world around the session: handed in by assembly. */
import type { CommandAnswer, CommandView, SkillRow } from "../command.ts";
import type { SessionSummary } from "../../contract/session.ts";

export interface SessionRow extends SessionSummary {
  /** The session it was branched or copied from. */
  readonly parentId?: string;
}

/** Settings that have a command of their own. */
export type SettingName = "theme" | "language" | "currency" | "reasoning-language";

export interface Setting {
  /** As shown: `auto`. More than one where two settings share a command. */
  readonly inForce: readonly string[];
  /** Where it stands, such as `user` or `built-in default`. */
  readonly source: string;
  readonly choices: readonly string[];
}

/** `unconfirmed`: saved, and the person has not said yet that it may go to this provider of a folder. */
export type KeyState = "present" | "missing" | "unconfirmed" | "not_needed";

export interface ProviderRow {
  readonly name: string;
  /** As people call it. */
  readonly label: string;
  readonly kind: string;
  /** Of its address; `?` for one that is none. */
  readonly host: string;
  /** Every `provider/model` it lists. */
  readonly models: readonly string[];
  /** Variable of its key; empty where it has none. */
  readonly keyName: string;
  readonly key: KeyState;
  /** A folder brought it. */
  readonly ofProject: boolean;
}

export interface AccountBalance {
  readonly amounts: readonly { readonly amount: number; readonly currency?: string }[];
  /** The endpoint says that it is not enough for requests. */
  readonly exhausted?: true;
}

/** A page of the documentation. */
export interface DocPage {
  /** One lower-case word. */
  readonly name: string;
  readonly title: string;
  readonly sections: readonly { readonly address: string; readonly heading: string }[];
}

export interface FoundSection {
  /** What `section` finds it by. */
  readonly address: string;
  /** Page and headings, for people. */
  readonly path: string;
  /** Markdown: all of it, or the part that has words of the question. */
  readonly text: string;
}

/** The pages that come with the program. */
export interface Documents {
  readonly pages: readonly DocPage[];
  section(address: string): FoundSection | undefined;
  /** Best first. */
  search(question: string): readonly FoundSection[];
}

export interface CommandHost {
  readonly version: string;
  /** The workspace. Absolute. */
  readonly root: string;
  /** Every `provider/model` that is configured. */
  readonly models: readonly string[];
  /** In the order of the settings. */
  providers(): Promise<readonly ProviderRow[]>;
  /** Where things lie: what, and its absolute path. */
  readonly places: readonly (readonly [what: string, path: string])[];
  /** Of this workspace, newest first. Throws `session.unreadable`. */
  sessions(): Promise<readonly SessionRow[]>;
  /** Throws `config.*`. */
  setting(name: SettingName): Promise<Setting>;
  /** Saves to the user's file. Answers what is in force then. Throws `config.*`. */
  saveSetting(name: SettingName, value: string): Promise<Setting>;
  /**
   * What is left on the account of the provider of `model`; undefined where nobody knows how to ask. Throws `config.*`
   * and `provider.*`.
   */
  balance(model: string): Promise<AccountBalance | undefined>;
  /** Keeps it in sight from now on, or not; saved. */
  showBalance(on: boolean): Promise<void>;
  /** Brings along what earlier versions left; one line each. Undefined: not done for this home. Throws `config.*`. */
  migrate(): Promise<readonly string[] | undefined>;
  /** Loaded with the first question. */
  documents(): Promise<Documents>;
  /** What stands around commands, as Markdown. */
  sandbox(): Promise<string>;
  /** The hooks of this folder, as Markdown. */
  hooks(): Promise<string>;
  readonly skills: SkillHost;
  readonly outputStyles: OutputStyleHost;
  /** A new file of the person's. Answers its absolute path. Throws `FileError` when there is one already. */
  saveFile(path: string, text: string): Promise<string>;
  /** Beside the answers: what comes of something later. */
  tell(level: "info" | "warning" | "error", text: string): void;
  /** Commands that people and servers bring, after the built-in ones, in menu order. */
  readonly sources: readonly CommandSource[];
  /** Unix time in milliseconds. */
  now(): number;
}

export interface OutputStyleHost {
  list(): Promise<
    readonly {
      readonly name: string;
      readonly description: string;
      readonly origin: "built_in" | "user" | "project";
    }[]
  >;
  /** Name of the one in force; empty for none. */
  readonly wanted: string;
  /** From the next message on; saved to the user's file. Empty: none. Throws `config.*` and then changes nothing. */
  choose(name: string): Promise<void>;
}

export interface SkillHost {
  /** As found when the conversation began, or by the last `rescan`. */
  list(): Promise<readonly SkillRow[]>;
  /** Where skills are looked for, as Markdown. */
  sources(): Promise<string>;
  /** Looks again; answers what the person should know. */
  rescan(): Promise<readonly string[]>;
  /** Saves to the user's file. Answers names that the settings of the folder keep as they were. Throws `config.*`. */
  turn(names: { readonly on: readonly string[]; readonly off: readonly string[] }): Promise<readonly string[]>;
}

/** Commands that come from elsewhere. */
export interface CommandSource {
  list(): readonly CommandView[];
  /** Undefined: not one of these. `name` without the slash. */
  run(name: string, argument: string): Promise<CommandAnswer | undefined>;
  /** Looks again at what there is; answers what the person should know. */
  reload?(): Promise<readonly string[]>;
}
