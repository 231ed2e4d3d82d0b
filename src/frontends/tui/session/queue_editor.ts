/**
 * A waiting message in the composer: taken up to be changed, saved in its place or left as it was. It does not go out
 * meanwhile, and stays stored until the new text is.
 */
import type { InboxOrder } from "../../../contract/inbox.ts";
import type { Controller, Receipt } from "../../../controller/mod.ts";
import type { ViewState } from "../../view/mod.ts";
import type { Composer } from "../composer/composer.ts";

export interface QueueEditorPorts {
  readonly controller: Controller;
  readonly composer: Composer;
  inbox(): ViewState["inbox"];
  refused(receipt: Extract<Receipt, { accepted: false }>): void;
}

export class QueueEditor {
  readonly #ports: QueueEditorPorts;
  #id: string | undefined;
  /** As it was taken up. */
  #text = "";

  constructor(ports: QueueEditorPorts) {
    this.#ports = ports;
  }

  /** Which of the waiting messages is in the composer, from 1. */
  get number(): number | undefined {
    return this.#id === undefined ? undefined : this.#place + 1;
  }

  take(id: string): void {
    const { controller, composer } = this.#ports;
    if (!this.#order({ do: "hold", id })) return;
    this.#text = controller.inbox.items.find((item) => item.id === id)!.text;
    this.#id = id;
    composer.setDraft(this.#text);
  }

  /** Up (-1) and Down (1) between the waiting messages, the last one first. False: the key means something else here. */
  browse(step: -1 | 1): boolean {
    const { composer } = this.#ports;
    const { items } = this.#ports.inbox();
    const isUntouched = composer.getExpandedText() === (this.#id === undefined ? "" : this.#text);
    if (!isUntouched || items.length === 0) return false;
    if (this.#id === undefined) {
      if (step > 0) return false;
      this.take(items.at(-1)!.id);
      return true;
    }
    const next = this.#place + step;
    if (next >= items.length) this.leave();
    else if (next >= 0) this.take(items[next]!.id);
    return true;
  }

  /** True: it was the text of a waiting message. Without text the message is dropped. */
  submit(text: string): boolean {
    const id = this.#id;
    if (id === undefined) return false;
    const isDone = this.#order(text.trim() === "" ? { do: "delete", id } : { do: "edit", id, text });
    if (isDone) this.#id = undefined;
    else this.#ports.composer.setDraft(text);
    return true;
  }

  /** It stays as it was. False: none is being changed. */
  leave(): boolean {
    if (this.#id === undefined) return false;
    this.#id = undefined;
    this.#order({ do: "release" });
    this.#ports.composer.setDraft("");
    return true;
  }

  /** The list has changed: a message that is gone is a draft like any other. */
  settle(): void {
    if (this.#id !== undefined && this.#place < 0) this.#id = undefined;
  }

  get #place(): number {
    return this.#ports.inbox().items.findIndex(({ id }) => id === this.#id);
  }

  #order(order: InboxOrder): boolean {
    const receipt = this.#ports.controller.send({ kind: "inbox", order });
    if (!receipt.accepted) this.#ports.refused(receipt);
    return receipt.accepted;
  }
}
