/** Text of unknown origin as one line that can be shown anywhere. */
const PREVIEW_LENGTH = 120;

/** One line without control characters, cut between characters. */
export function toPreview(text: string): string {
  // Enough for any preview; the text may be megabytes.
  const line = text.slice(0, 4096).replaceAll(/[\s\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
  const characters = [...line];
  return characters.length <= PREVIEW_LENGTH ? line : `${characters.slice(0, PREVIEW_LENGTH - 1).join("").trimEnd()}…`;
}
