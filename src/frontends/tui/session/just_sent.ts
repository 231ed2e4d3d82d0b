/** The message that was just sent: it can be taken back as long as nothing has answered it. */
export class JustSent {
  #text: string | undefined;

  get isThere(): boolean {
    return this.#text !== undefined;
  }

  note(text: string): void {
    this.#text = text;
  }

  /** Once. */
  take(): string | undefined {
    const text = this.#text;
    this.#text = undefined;
    return text;
  }

  settled(): void {
    this.#text = undefined;
  }
}
