/** What the terminal is given. It opens no session and reads no settings itself. */
import type { Controller } from "../../controller/mod.ts";
import type { Processes } from "../../contract/workspace.ts";
import type { Language } from "../view/mod.ts";
import type { NotificationSettings } from "./process/notifications.ts";

export interface TuiSettings {
  readonly theme: "auto" | "light" | "dark";
  /** Accent by name; unknown names mean the default. */
  readonly accent: string;
  readonly language: Language;
  readonly cursorShape: "bar" | "underline" | "block";
  readonly showUsage: boolean;
  readonly showReasoning: boolean;
  /** Colours fenced diffs; shows the output of a command that is a diff as one. */
  readonly diffFences: boolean;
  readonly diffOutput: boolean;
  readonly notifications: NotificationSettings;
  /** The person's command for the second status row; empty for none. */
  readonly statusCommand: string;
  /** Linear text instead of a screen. */
  readonly plain: boolean;
  /** Share of the context window at which older messages are folded. */
  readonly foldAt: number;
}

export interface TuiPorts {
  readonly controller: Controller;
  readonly settings: TuiSettings;
  /** The workspace. Absolute. */
  readonly root: string;
  /** Reasonix home: crash reports and pasted images. Absolute. */
  readonly home: string;
  readonly version: string;
  /** Takes saved secrets out of what is told of a crash. */
  redact(text: string): string;
  /** One level of a folder of the workspace, `""` for its root. Empty for what cannot be read. Never rejects. */
  listFolder(folder: string, signal: AbortSignal): Promise<readonly FolderEntry[]>;
  /** For commands that the person runs, and programs that read the clipboard. */
  readonly processes: Processes;
  readonly env: (name: string) => string | undefined;
  /** Milliseconds, for telling a paste from typing; `performance.now` when absent. */
  readonly now?: () => number;
  /** Set when YOLO is in force and nobody has agreed to it yet. */
  readonly confirmYolo?: () => Promise<void>;
  /** A command to begin with, such as `/resume`. */
  readonly firstCommand?: string;
  /** Command line that goes on with a session; shown when leaving. */
  resumeCommand(sessionId: string): string;
}

export interface FolderEntry {
  readonly name: string;
  readonly folder: boolean;
  readonly ignored: boolean;
}

/** How it ended. The terminal is as it was before. */
export interface TuiEnd {
  readonly exitCode: number;
  /** For the person, one line each. Clean of escapes. */
  readonly lines: readonly string[];
}
