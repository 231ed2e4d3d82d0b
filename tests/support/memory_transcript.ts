/** A transcript that lives in memory: the stored conversation of tests that are not about storage. */
import type { Message } from "../../src/contract/message.ts";
import type { Transcript } from "../../src/contract/session.ts";

export class MemoryTranscript implements Transcript {
  readonly id = "session";
  readonly path = "/nowhere/session.jsonl";
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

  close(): Promise<void> {
    return Promise.resolve();
  }
}
