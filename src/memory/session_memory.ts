/** The memory at work in one conversation: recall before turns, the calls of the tools, and what the person is told. */
import type { ToolRequest } from "../contract/decision.ts";
import { ToolError } from "../contract/errors.ts";
import type { MemoryCommands } from "../contract/memory.ts";
import type { ToolContext, ToolOutput } from "../contract/tool.ts";
import { LockTimeout } from "../lib/file_lock.ts";
import { previewCall, reasonToAsk } from "./approval.ts";
import { toPinnedBlock, toRecallBlock, toUpdateBlock } from "./blocks.ts";
import { createMemoryCommands } from "./commands.ts";
import { type Fact, fileReference } from "./fact.ts";
import { FactStore } from "./fact_store.ts";
import type { MemoryOptions } from "./memory.ts";
import { type Recall, recallFacts } from "./recall.ts";
import { toChange } from "./tools/arguments.ts";
import type { MemoryCalls } from "./tools/memory_tools.ts";
import { readMemory } from "./tools/read_memory.ts";

/** Facts of one conversation that nobody was asked about; the next one is a question. */
const MOST_UNASKED = 20;

export class SessionMemory implements MemoryCalls {
  readonly commands: MemoryCommands;
  readonly #options: MemoryOptions;
  readonly #store: FactStore;
  /** Calls that run unasked: each for one fact that is new. */
  readonly #unasked = new Set<string>();
  #savedUnasked = 0;
  /** Changes of the person that the model has not been told of. */
  readonly #updates: string[] = [];
  #lastRecall: Recall | undefined;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#store = new FactStore({ folders: options.folders, ...(options.now ? { now: options.now } : {}) });
    this.commands = createMemoryCommands(this.#store, {
      root: options.root,
      settings: options.settings,
      instructions: options.instructions,
      now: () => this.#now(),
      lastRecall: () => this.#lastRecall,
      changed: (line) => this.#updates.push(line),
    });
  }

  get hasUpdates(): boolean {
    return this.#updates.length > 0;
  }

  /** Blocks behind the person's words. */
  async beforeTurn(text: string): Promise<readonly string[]> {
    const { settings, homes } = this.#options;
    const { active } = await this.#store.load();
    const recall = recallFacts(text, active, {
      limit: settings.recallLimit,
      maxChars: settings.recallMaxChars,
      now: this.#now(),
    });
    this.#lastRecall = recall;
    const updates = this.#updates.splice(0);
    const block = toRecallBlock(recall, { maxChars: settings.recallMaxChars, homes });
    return [...(updates.length > 0 ? [toUpdateBlock(updates)] : []), ...(block === undefined ? [] : [block])];
  }

  async pinned(): Promise<string | undefined> {
    const { settings, homes } = this.#options;
    const { active } = await this.#store.load();
    return toPinnedBlock(active, { budget: settings.pinnedBudgetChars, homes, now: this.#now() });
  }

  async grantUnasked(request: ToolRequest): Promise<boolean> {
    this.#unasked.delete(request.callId);
    if (await this.#reasonToAsk(request) !== undefined) return false;
    this.#unasked.add(request.callId);
    return true;
  }

  async preview(request: ToolRequest): Promise<{ readonly subject: string; readonly detail?: string }> {
    const reason = await this.#reasonToAsk(request);
    const { subject, detail } = await previewCall(request, this.#store);
    return { subject: reason === undefined ? subject : `${subject} (${reason})`, ...(detail ? { detail } : {}) };
  }

  memory(args: Record<string, unknown>): Promise<ToolOutput> {
    return told(async () => ({ text: await readMemory(args, this.#store, this.#now()) }));
  }

  remember(args: Record<string, unknown>, { callId }: ToolContext): Promise<ToolOutput> {
    const unasked = this.#unasked.delete(callId);
    if (unasked) this.#savedUnasked++;
    return told(() => this.#remember(args, unasked));
  }

  forget(args: Record<string, unknown>): Promise<ToolOutput> {
    return told(() => this.#forget(args));
  }

  async #remember(args: Record<string, unknown>, unasked: boolean): Promise<ToolOutput> {
    const { name, ...content } = toChange(args);
    const scope = args.scope === "global" ? "global" : "project";
    if (typeof args.id !== "string") {
      if (args.expected_revision !== undefined) throw new ToolError("expected_revision goes with the id of a fact");
      const fact = { ...content, scope, ...(name === undefined ? {} : { name }) } as const;
      return savedText("Saved", await this.#store.create(fact, { unasked }));
    }
    const known = await this.#store.find(args.id);
    if (name !== undefined && name !== known.name) {
      throw new ToolError(`a fact keeps its name (${known.name}); change its title instead`);
    }
    if (args.scope !== undefined && args.scope !== known.scope) {
      throw new ToolError(`${known.id} is a ${known.scope} fact and stays one; save a new fact for the other scope`);
    }
    return savedText(
      "Updated",
      await this.#store.update(known.id, content, args.expected_revision as number | undefined),
    );
  }

  async #forget(args: Record<string, unknown>): Promise<ToolOutput> {
    const { fact, path } = await this.#store.forget(String(args.name));
    const update = toUpdateBlock([`archived: ${fileReference(fact)} id=${fact.id}; it no longer holds`]);
    return {
      text: `Archived id=${fact.id} (${fileReference(fact)}) as ${path}. /memory recover brings it back.\n${update}`,
    };
  }

  async #reasonToAsk(request: ToolRequest): Promise<string | undefined> {
    if (this.#savedUnasked >= MOST_UNASKED) return `${MOST_UNASKED} facts were saved unasked in this session`;
    try {
      return await reasonToAsk(request, this.#store, this.#options.isSecret ?? (() => false));
    } catch (error) {
      // What the tool itself will refuse is no question for a person.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** What the disk refuses is for the model to read, not a defect of the program. */
async function told(work: () => Promise<ToolOutput>): Promise<ToolOutput> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError || !isOfTheWorld(error)) throw error;
    throw new ToolError(`the memory cannot be used now: ${error.message}`, { cause: error });
  }
}

function isOfTheWorld(error: unknown): error is Error {
  return error instanceof Error && (error instanceof LockTimeout || "code" in error || error.name in Deno.errors);
}

function savedText(verb: string, fact: Fact): ToolOutput {
  const { id, revision, scope, activation } = fact;
  const kind = activation === "pinned" ? `${scope} pinned, in the opening of new sessions` : `${scope} background`;
  const line = `${verb} memory id=${id} revision=${revision} (${kind}) as ${fileReference(fact)}.`;
  const update = toUpdateBlock([`${verb.toLowerCase()}: ${fileReference(fact)} id=${id} revision=${revision}`]);
  return { text: `${line}\n${update}` };
}
