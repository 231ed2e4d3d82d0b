/**
 * How endpoints say that the input is too long. Few have a code for it, so this table of wordings is the one place
 * where an answer's text is looked at; what leaves it is the code `context.exhausted`.
 */

const CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "model_max_prompt_tokens_exceeded",
  "request_too_large",
  "exceed_context_size_error",
  "prompt_too_long",
]);

const WORDINGS: readonly RegExp[] = [
  /maximum context length/i,
  /maximum prompt length/i,
  /context[ _](?:length|window|size|limit)[^.]{0,40}exceed/i,
  /exceed[^.]{0,60}context[ _](?:length|window|size|limit)/i,
  /(?:prompt|input|request)[^.]{0,30}\btoo (?:long|large)/i,
  /range of input length should be/i,
  /input token count[^.]{0,40}exceed/i,
  /reduce the length of the (?:messages|prompt|input)/i,
  /greater than the context length/i,
  /token count[^.]{0,30}exceeds the limit/i,
  /exceed(?:s|ed)? (?:the )?model(?:'s)? (?:token )?limit/i,
  /\b(?:prompt|input) tokens? exceeds?\b/i,
  /tokens in request more than/i,
  /too large for model/i,
  /(?:输入|上下文|提示)[^。]{0,20}(?:超过|超出|过长|太长)/,
];

/** Statuses under which an endpoint complains about the request itself. */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

export function isContextOverflow(answer: {
  readonly status: number | undefined;
  readonly code?: string;
  readonly type?: string;
  readonly text: string;
}): boolean {
  if (answer.status === 413) return true;
  if (answer.status !== undefined && !STATUSES.has(answer.status)) return false;
  for (const name of [answer.code, answer.type]) if (name && CODES.has(name.toLowerCase())) return true;
  return WORDINGS.some((wording) => wording.test(answer.text));
}
