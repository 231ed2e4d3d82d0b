/** The images that were pasted in this run: a token in the draft, a reference to the kept file in what is sent. */
export class PastedImages {
  readonly #paths: string[] = [];

  /** Answers the token. `path`: the kept file. */
  add(path: string): string {
    this.#paths.push(path);
    return `[image #${this.#paths.length}]`;
  }

  withReferences(text: string): string {
    return text.replace(/\[image #(\d+)\]/g, (token, number: string) => {
      const path = this.#paths[Number(number) - 1];
      return path === undefined ? token : `@"${path}"`;
    });
  }
}
