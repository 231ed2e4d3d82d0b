/** Error answers, in HTTP statuses or in the middle of a stream, mapped to failures with a stable code. */
import { type ErrorCode, ReasonixError } from "../contract/errors.ts";
import { parseJson } from "../lib/json.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Failure } from "./attempt_failure.ts";
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from "./retry_policy.ts";
import { isContextOverflow } from "./overflow.ts";

interface Detail {
  readonly code?: string;
  readonly type?: string;
  readonly status?: number;
  readonly text: string;
}

/** What is said in an error object, whatever its shape: `{error:{…}}`, `{message}`, a string. */
function errorDetail(raw: unknown): Detail {
  if (typeof raw === "string") return { text: raw };
  if (typeof raw !== "object" || raw === null) return { text: "" };
  const object = raw as Record<string, unknown>;
  if (typeof object.error === "object" && object.error !== null) return errorDetail(object.error);
  const text = [object.message, object.error, object.detail, object.msg, object.error_msg]
    .find((value) => typeof value === "string" && value !== "") as string | undefined;
  const status = [object.status_code, object.status, object.code]
    .map((value) => typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value)
    .find((value): value is number => typeof value === "number" && value >= 400 && value < 600);
  return {
    ...(typeof object.code === "string" ? { code: object.code } : {}),
    ...(typeof object.type === "string" ? { type: object.type } : {}),
    ...(status === undefined ? {} : { status }),
    text: text ?? JSON.stringify(raw),
  };
}

const QUOTA_NAMES = new Set(["insufficient_quota", "insufficient_balance", "billing_hard_limit_reached"]);

const RATE_NAMES = new Set(["rate_limit_exceeded", "rate_limit_error"]);

const retryable = (status: number) => status === 408 || status === 429 || status >= 500;

/** `body`: the start of the answer's body. `keyWorked`: this key was accepted before. */
export function statusFailure(
  endpoint: Endpoint,
  answer: { readonly status: number; readonly headers: Headers; readonly body: string },
  options: { readonly keyWorked: boolean; readonly now: number },
): Failure {
  const { status, headers } = answer;
  const parsed = parseJson(answer.body);
  const detail = errorDetail(parsed === undefined ? answer.body : parsed);
  const redirect = status >= 300 && status < 400;
  const verdict = redirect ? redirected(endpoint, headers.get("location")) : classify(endpoint, detail, status);
  const again = retryable(status) && verdict.code !== "provider.quota";
  const retryAfterMs = again ? parseRetryAfter(headers, options.now) : undefined;
  const wait = retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS
    ? { text: waitText(retryAfterMs, options.now), until: clock(options.now + retryAfterMs) }
    : undefined;
  const said = [isMarkup(answer.body) ? "" : endpoint.redact(detail.text), traceOf(endpoint, headers)].join(" ").trim();
  const message = `${who(endpoint)} answered ${status}${verdict.says}` + (said ? `: ${said}` : "") +
    (wait ? `; it asks to wait ${wait.text}` : "");
  const remedy = wait ? `Try again after ${wait.until}, or use another model.` : verdict.remedy;
  const error = new ReasonixError(verdict.code, message, { status, retry: again, ...(remedy ? { remedy } : {}) });
  if (verdict.code === "provider.auth") {
    return { class: "auth", cause: "upstream_status", error, status, retries: options.keyWorked ? 2 : 0 };
  }
  return {
    class: again ? "status" : "final",
    cause: status === 408 ? "timeout" : "upstream_status",
    error,
    status,
    ...(detail.code === undefined ? {} : { saidCode: detail.code }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const who = (endpoint: Endpoint): string => `${endpoint.provider} (${endpoint.protocol})`;

/** What the endpoint's own people need to find the request. */
function traceOf(endpoint: Endpoint, headers: Headers): string {
  const trace = ["trace_id", "trace-id", "x-trace-id", "x-request-id"].map((name) => headers.get(name)).find(Boolean);
  return trace ? `(trace ${endpoint.redact(trace, 80)})` : "";
}

/** Not followed: the key would go where nobody configured it to go. */
function redirected(endpoint: Endpoint, location: string | null): Classified {
  const base = `http://${endpoint.host}`;
  const to = location && URL.canParse(location, base) ? new URL(location, base).host : "another address";
  return {
    code: "provider.rejected",
    says: `, a redirect to ${endpoint.redact(to, 100)}`,
    remedy: `If that is right, set base_url of provider ${endpoint.provider} to it.`,
  };
}

/** An error object inside a stream that had begun with status 200. */
export function streamFailure(endpoint: Endpoint, raw: unknown): Failure {
  const detail = errorDetail(raw);
  const verdict = classify(
    endpoint,
    detail,
    detail.status ?? (REJECTED_TYPES.has(detail.type ?? "") ? 400 : undefined),
  );
  const modelFault = MODEL_FAULTS.has(detail.code ?? "");
  const code = modelFault ? "provider.transient" : verdict.code;
  const again = code === "provider.transient" || code === "provider.rate_limited";
  const status = detail.status === undefined ? {} : { status: detail.status };
  const message = `${who(endpoint)} reported an error in its stream${verdict.says}: ${endpoint.redact(detail.text)}`;
  const remedy = verdict.remedy ? { remedy: verdict.remedy } : {};
  return {
    class: again ? "upstream" : "final",
    cause: "upstream_error",
    error: new ReasonixError(code, message, { ...status, retry: again, ...remedy }),
    ...status,
    ...(detail.code === undefined ? {} : { saidCode: detail.code }),
  };
}

const REJECTED_TYPES = new Set([
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
]);
/** The model wrote something the endpoint refused: the request is sound, another try may go well. */
const MODEL_FAULTS = new Set(["tool_use_failed"]);

interface Classified {
  readonly code: ErrorCode;
  /** Follows the status in the message. */
  readonly says: string;
  readonly remedy?: string;
}

/** `status` undefined: nothing is known but what the error object says; that may clear up. */
function classify(endpoint: Endpoint, detail: Detail, status: number | undefined): Classified {
  if (status === 401 || status === 403) {
    return {
      code: "provider.auth",
      says: `, authentication failed`,
      remedy: endpoint.apiKeyEnv
        ? `Check ${endpoint.apiKeyEnv} in Reasonix's own credentials: the file .env in the Reasonix home.`
        : `Set api_key_env for provider ${endpoint.provider} and put that key into the file .env in the Reasonix home.`,
    };
  }
  const named = (names: ReadonlySet<string>) => names.has(detail.code ?? "") || names.has(detail.type ?? "");
  if (status === 402 || named(QUOTA_NAMES)) {
    return {
      code: "provider.quota",
      says: ", the account's quota or balance is used up",
      remedy: `Top up the account behind provider ${endpoint.provider}, or use another model.`,
    };
  }
  if (isContextOverflow({ ...detail, status })) {
    const window = endpoint.contextWindow > 0 ? ` (context_window is ${endpoint.contextWindow} tokens)` : "";
    return {
      code: "context.exhausted",
      says: `, the input is too long for ${endpoint.model}${window}`,
      remedy: "Compact the conversation or start a new one; if the limit is another, correct context_window.",
    };
  }
  if (status === 429 || (status === undefined && named(RATE_NAMES))) {
    return { code: "provider.rate_limited", says: ", too many requests" };
  }
  if (status === undefined || retryable(status)) return { code: "provider.transient", says: "" };
  if (status === 404) {
    return {
      code: "provider.rejected",
      says: "",
      remedy: `Check base_url and the model name ${endpoint.model} of provider ${endpoint.provider}.`,
    };
  }
  if (status === 407) {
    return { code: "provider.proxy", says: ", the proxy wants a user name and password", remedy: PROXY_REMEDY };
  }
  return { code: "provider.rejected", says: "" };
}

export const PROXY_REMEDY =
  "Give the proxy's user name and password in [network.proxy] or in HTTPS_PROXY, or list the host in NO_PROXY.";

export const isMarkup = (text: string): boolean => /^\s*(?:\uFEFF)?\s*<(?:!doctype|html|head|body|\?xml)/i.test(text);

function waitText(ms: number, now: number): string {
  const seconds = Math.ceil(ms / 1000);
  const span = seconds < 120
    ? `${seconds} s`
    : seconds < 7200
    ? `${Math.round(seconds / 60)} min`
    : `${Math.round(seconds / 3600)} h`;
  return `${span} (${seconds} s, until ${clock(now + ms)})`;
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ") + " UTC";
