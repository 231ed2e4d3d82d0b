/** `@` references in a text: `@word`, or `@"with blanks"`; not inside a word, so no e-mail address. */
const REFERENCE = /(?<![\p{L}\p{N}_.@/-])@(?:"([^"\n]+)"|([^\s"'`<>|@]+))/gu;

/** What is referred to, each once, without the `@`. */
export function referenceNames(text: string): Set<string> {
  return new Set([...text.matchAll(REFERENCE)].map(([, quoted, bare]) => quoted ?? bare!));
}
