/** A transcript that lives in memory: the stored conversation of tests that are not about storage. */
import type { Message } from "../../src/contract/message.ts";
import type { Transcript } from "../../src/contract/session.ts";

export class MemoryTranscript implements Transcript {
  readonly id = "session";
  readonly path: string = "/nowhere/session.jsonl";
  readonly messages: Message[] = [];
  syncs = 0;
  readonly results = {
    read: (callId: string, ref: string) => {
      const found = this.messages.find((message) => message.tool_call_id === callId && message.result_ref === ref);
      return Promise.resolve(
        found?.raw_content === undefined ? undefined : new TextEncoder().encode(found.raw_content),
      );
    },
  };

  constructor(messages: readonly Message[] = []) {
    this.messages.push(...messages);
  }

  append(message: Message): void {
    this.messages.push(message);
  }

  beginTurn(): void {}

  endTurn(): void {}

  sync(): Promise<void> {
    this.syncs++;
    return Promise.resolve();
  }

  lastRewind: string | undefined;
  title: string | undefined;

  rewind(keep: number, { id }: { readonly id: string }): void {
    this.messages.length = keep;
    this.lastRewind = id;
  }

  undoRewind(): boolean {
    return false;
  }

  branch(): Promise<{ readonly id: string; readonly path: string }> {
    return Promise.resolve({ id: "branch", path: "/nowhere/branch.jsonl" });
  }

  rename(title: string): void {
    this.title = title;
  }

  discard(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
