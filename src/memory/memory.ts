/**
 * The memory of one conversation as the rest of the program knows it. This file is loaded at every start; the store, the
 * search and the commands are loaded when there is something to read or to write.
 */
import type { ToolRequest } from "../contract/decision.ts";
import type { MemoryCommands } from "../contract/memory.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { ToolKind } from "../contract/tool.ts";
import { isFolder } from "../lib/at_path.ts";
import type { FactScope } from "./fact.ts";
import type { SessionMemory } from "./session_memory.ts";
import { createMemoryTools, MEMORY_WRITERS } from "./tools/memory_tools.ts";

export interface MemorySettings {
  readonly pinnedBudgetChars: number;
  readonly recallLimit: number;
  readonly recallMaxChars: number;
  /** A harmless new project fact is saved without a question. */
  readonly autoConfirmProjectRemember: boolean;
}

/** A document of instructions, as `/memory` tells of it. */
export interface InstructionSource {
  readonly origin: string;
  readonly path: string;
  readonly characters: number;
}

export interface MemoryOptions {
  readonly folders: Readonly<Record<FactScope, string>>;
  /** The workspace: absolute, links resolved. */
  readonly root: string;
  readonly settings: MemorySettings;
  /** Folders of this person that no request should name. */
  readonly homes: readonly string[];
  /** Lowest priority first, and what was refused. */
  instructions(): Promise<{ readonly documents: readonly InstructionSource[]; readonly notes: readonly string[] }>;
  /** Holds a key that is saved on this machine. */
  isSecret?(text: string): boolean;
  /** Unix time in milliseconds. */
  now?(): number;
}

export interface Memory {
  readonly tools: readonly ToolKind[];
  /** Recalls facts before each turn. */
  readonly observer: LoopObserver;
  commands(): Promise<MemoryCommands>;
  /** The pinned facts, for the opening of a session; undefined when there are none. */
  pinned(): Promise<string | undefined>;
  /** This call of the conversation's own agent may run unasked. It is remembered: such a call only ever creates. */
  isAutomatic(request: ToolRequest): Promise<boolean>;
  /** Why only a fresh answer of the person will do; undefined for calls that do not write facts. */
  reviewReason(request: ToolRequest): string | undefined;
  /** For the question: what the call is about, and what would change. Undefined for other calls. */
  preview(request: ToolRequest): Promise<{ readonly subject: string; readonly detail?: string } | undefined>;
}

/** Touches nothing. */
export function createMemory(options: MemoryOptions): Memory {
  let loading: Promise<SessionMemory> | undefined;
  const load = () => loading ??= import("./session_memory.ts").then(({ SessionMemory }) => new SessionMemory(options));
  return {
    tools: createMemoryTools(load),
    observer: {
      name: "memory",
      turnBegins: async ({ text }) => {
        const hasNews = loading !== undefined && (await loading).hasUpdates;
        if (!hasNews && !hasFolder(options)) return undefined;
        const after = await (await load()).beforeTurn(text);
        return after.length === 0 ? undefined : { after };
      },
    },
    commands: async () => (await load()).commands,
    pinned: async () => hasFolder(options) ? await (await load()).pinned() : undefined,
    isAutomatic: async (request) =>
      request.tool === "remember" && options.settings.autoConfirmProjectRemember &&
      await (await load()).grantUnasked(request),
    reviewReason: ({ tool }) =>
      MEMORY_WRITERS.has(tool) ? "what the memory keeps is for the person to decide" : undefined,
    preview: async (request) => MEMORY_WRITERS.has(request.tool) ? await (await load()).preview(request) : undefined,
  };
}

function hasFolder({ folders }: MemoryOptions): boolean {
  return [folders.project, folders.global].some(isFolder);
}
