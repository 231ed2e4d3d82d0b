/** What no fact should hold unless a person said so: keys, passwords, addresses of people. */

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY/, "a private key"],
  [/\b(?:sk|pk|rk|gsk|xai|ghp|gho|ghs|ghu|hf|glpat|npm|pypi|xox[abprs])[-_][A-Za-z0-9_-]{16,}/, "a key"],
  [/\b(?:github_pat_\w{20,}|AIza[\w-]{30,}|AKIA[A-Z0-9]{16}|ASIA[A-Z0-9]{16})/, "a key"],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/, "a token"],
  [/\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{12,}/i, "a token"],
  [/:\/\/[^\s/@:]*:[^\s/@]+@/, "a password in an address"],
  [
    /(?:pass(?:word|wd|phrase)?|secret|token|api[-_ ]?key|access[-_ ]?key|credential)\w*["'`]?\s*(?:[:=]|\bis\b)\s*["'`]?[^\s"'`<>${}]{6,}/i,
    "a password or key",
  ],
  [/(?:\u5bc6\u7801|\u53e3\u4ee4|\u5bc6\u94a5)\s*(?:[:=\uff1a]|\u662f|\u4e3a)\s*\S{4,}/, "a password or key"],
  [/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u, "an e-mail address"],
];

/** What is sensitive about a text, or undefined. */
export function sensitiveIn(text: string): string | undefined {
  const plain = text.normalize("NFKC").replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, "");
  const sign = SIGNS.find(([pattern]) => pattern.test(plain));
  if (sign) return sign[1];
  return (plain.match(/[A-Za-z0-9+/_=-]{32,}/g) ?? []).some(looksRandom) ? "what looks like a key" : undefined;
}

/** Three kinds of characters, well mixed: neither a path, nor an identifier, nor a hash of a commit. */
function looksRandom(run: string): boolean {
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/(?:\d.*){4}/.test(run)) return false;
  const changes = [...run].filter((character, at) => at > 0 && kindOf(character) !== kindOf(run[at - 1]!)).length;
  return changes >= run.length / 4;
}

function kindOf(character: string): number {
  return /[a-z]/.test(character) ? 0 : /[A-Z]/.test(character) ? 1 : /\d/.test(character) ? 2 : 3;
}
