/** At most `limit` characters; a text that was cut ends with "…". Never cuts a character in two. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
