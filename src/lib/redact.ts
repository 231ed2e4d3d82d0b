/** Text from outside made fit for an error message: one line, no terminal escapes, no secrets, of bounded length. */
import { clip } from "./clip.ts";

const KEY_SHAPES = [
  /\b(?:sk|pk|rk|gsk|xai|AIza|ghp|gho|hf)[-_]?[A-Za-z0-9_*-]{16,}/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{8,}/gi,
  /(\/\/)[^\s/@:]+:[^\s/@]+@/g,
];

/** Everything `secrets` names is replaced, and so is what looks like a key. */
export type Redactor = (text: string, limit?: number) => string;

export function createRedactor(secrets: readonly string[]): Redactor {
  // Longest first: a secret that contains another is replaced as a whole.
  const known = [...new Set(secrets.filter((secret) => secret.length >= 4))].sort((a, b) => b.length - a.length);
  return (text, limit = 400) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, "[redacted]");
    clean = clean.replace(KEY_SHAPES[0]!, "[redacted]").replace(KEY_SHAPES[1]!, "$1 [redacted]")
      .replace(KEY_SHAPES[2]!, "$1");
    // deno-lint-ignore no-control-regex
    clean = clean.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, "").replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ")
      .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, "").replace(/ {2,}/g, " ").trim();
    return clip(clean, limit);
  };
}
