/**
 * Text of others between tags of this program, for a model to read. The text can hold whatever it likes but an end of the
 * block it stands in, or another beginning of it: what follows is then not taken for the words of somebody else.
 */

/** `attributes`: name to value; undefined ones are left out. */
export function ownBlock(
  tag: string,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${attribute(value)}"`]
  );
  return `<${tag}${written.join("")}>\n${withoutTag(text, tag)}\n</${tag}>`;
}

/** However a model might still read it as one: in other letters, with blanks in it. */
export function withoutTag(text: string, tag: string): string {
  return text.replace(new RegExp(`<(?=\\s*(?:/\\s*)?${tag}(?![\\w-]))`, "gi"), "&lt;");
}

function attribute(text: string): string {
  return text.replace(/["<>&\p{Cc}\u2028\u2029]/gu, (char) => `&#${char.codePointAt(0)};`);
}
