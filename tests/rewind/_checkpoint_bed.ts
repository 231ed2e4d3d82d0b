/** A workspace whose files are saved before they change, without a session around it: turns are what the test says. */
import { SessionCheckpoints } from "../../src/sessions/checkpoints/checkpoints.ts";
import type { ObservedCall } from "../../src/contract/observer.ts";
import type { TurnBoundary } from "../../src/contract/checkpoint.ts";
import type { Files } from "../../src/contract/workspace.ts";
import { sha256 } from "../../src/lib/bytes.ts";
import { snapshotFiles } from "../../src/safety/mod.ts";
import { MemoryTranscript } from "../support/memory_transcript.ts";
import { createTempWorkspace, type TempWorkspace } from "../support/temp_workspace.ts";

export interface BedOptions {
  readonly turns?: number;
  readonly bytes?: number;
  readonly hooksRun?: boolean;
  readonly running?: () => readonly string[];
}

class StoredTranscript extends MemoryTranscript {
  override readonly path: string;
  constructor(path: string) {
    super();
    this.path = path;
  }
}

export class CheckpointBed implements AsyncDisposable {
  readonly workspace: TempWorkspace;
  readonly transcript: MemoryTranscript;
  readonly #options: BedOptions;
  checkpoints!: SessionCheckpoints;
  files!: Files;
  notices: readonly string[] = [];
  readonly turns: TurnBoundary[] = [];

  private constructor(workspace: TempWorkspace, options: BedOptions) {
    this.workspace = workspace;
    this.#options = options;
    this.transcript = new StoredTranscript(`${workspace.parent}/s.jsonl`);
  }

  static async start(content: Record<string, string> = {}, options: BedOptions = {}): Promise<CheckpointBed> {
    const bed = new CheckpointBed(await createTempWorkspace(content), options);
    await bed.open();
    return bed;
  }

  get root(): string {
    return this.workspace.root;
  }

  /** Folder of the store. */
  get store(): string {
    return `${this.workspace.parent}/s.ckpt`;
  }

  /** As another start of the program. */
  async open(): Promise<void> {
    const { turns = 100, bytes = 1 << 30, hooksRun = false, running = () => [] } = this.#options;
    const { checkpoints, notices } = await SessionCheckpoints.open({
      transcript: this.transcript,
      roots: [this.root],
      retention: { turns, bytes },
      hooksRun,
      running,
      now: () => 1,
    });
    this.checkpoints = checkpoints;
    this.notices = notices;
    this.files = snapshotFiles(this.workspace.files, checkpoints);
  }

  async turn(prompt = `turn ${this.turns.length + 1}`): Promise<TurnBoundary> {
    const boundary = { message: this.transcript.messages.length, at: 1000 + this.turns.length };
    await this.checkpoints.begin(boundary.message);
    this.transcript.append({ role: "user", content: prompt, createdAt: boundary.at });
    this.turns.push(boundary);
    return boundary;
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await this.files.write(path, bytes, { kind: "whole" });
  }

  /** A call of a tool that cannot be seen through. */
  async call(tool: string, work: () => Promise<void>): Promise<void> {
    const call: ObservedCall = { callId: "c", tool, args: {}, readOnly: false };
    await this.checkpoints.callBegins(call);
    await work();
    await this.checkpoints.callEnded();
  }

  /** Plans and does it. Answers the conflicts of the plan. */
  async back(to: TurnBoundary, options: { readonly force?: boolean } = {}) {
    const plan = await this.checkpoints.plan(to);
    const report = await this.checkpoints.commit(plan, options);
    return { plan, report };
  }

  async undo() {
    const plan = await this.checkpoints.planUndo();
    return plan && await this.checkpoints.commit(plan);
  }

  /** Path -> what stands there: kind, permission bits, hash or target. */
  async tree(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    const visit = async (folder: string) => {
      for await (const entry of Deno.readDir(folder)) {
        const path = `${folder}/${entry.name}`;
        const name = path.slice(this.root.length + 1);
        const mode = ((await Deno.lstat(path)).mode! & 0o7777).toString(8);
        if (entry.isSymlink) found[name] = `link ${await Deno.readLink(path)}`;
        else if (entry.isDirectory) {
          found[name] = `folder ${mode}`;
          await visit(path);
        } else found[name] = `file ${mode} ${await sha256(await Deno.readFile(path))}`;
      }
    };
    await visit(this.root);
    return Object.fromEntries(Object.entries(found).sort());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspace[Symbol.asyncDispose]();
  }
}
