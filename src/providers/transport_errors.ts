/**
 * Why no connection came about. Deno gives no code for it, only the text of its HTTP library, so this is the one
 * place that reads that text; what leaves it is typed. An unknown text counts as a dropped connection.
 */
import { type ErrorCode, ReasonixError } from "../contract/errors.ts";
import { type Endpoint, nameOf } from "./endpoint.ts";
import type { Failure, FailureClass } from "./attempt_failure.ts";
import { PROXY_REMEDY } from "./http_errors.ts";

interface Rule {
  readonly text: RegExp;
  readonly class: FailureClass;
  readonly code: ErrorCode;
  /** What happened; the host is named before it. */
  readonly says: string;
  readonly remedy: string;
}

const DIAL_REMEDY = "Check that the address is right and the server runs.";
const CA_REMEDY =
  "If a company proxy signs connections anew, point SSL_CERT_FILE at its certificate authority (PEM); checks are never switched off.";

/** The first rule that fits counts. */
const RULES: readonly Rule[] = [
  {
    text: /proxy authentication required|\b407\b/i,
    class: "final",
    code: "provider.proxy",
    says: "the proxy wants a user name and password (407)",
    remedy: PROXY_REMEDY,
  },
  {
    text: /unsuccessful tunnel|tunnel error|proxy server unreachable|socks/i,
    class: "dial",
    code: "provider.proxy",
    says: "the proxy did not make the connection",
    remedy: "Check proxy_mode, proxy_url and HTTPS_PROXY, or list the host in NO_PROXY.",
  },
  {
    text: /UnknownIssuer|CaUsedAsEndEntity|SelfSigned|invalid peer certificate|certificate|BadSignature/i,
    class: "final",
    code: "provider.tls",
    says: "its TLS certificate is not trusted",
    remedy: CA_REMEDY,
  },
  {
    text:
      /corrupt message|InvalidContentType|tls handshake|HandshakeFailure|received fatal alert|peer is incompatible/i,
    class: "final",
    code: "provider.tls",
    says: "it does not speak TLS as expected",
    remedy: "Check whether the address should begin with http:// or has another port.",
  },
  {
    text: /temporary failure in name resolution|try again/i,
    class: "dial",
    code: "provider.unreachable",
    says: "the name server did not answer (DNS)",
    remedy: "Check the network connection.",
  },
  {
    text: /dns error|failed to lookup address|name or service not known|no such host|nodename nor servname/i,
    class: "final",
    code: "provider.unreachable",
    says: "the host name does not resolve (DNS)",
    remedy: "Check base_url and the network connection; behind a proxy set HTTPS_PROXY or proxy_url.",
  },
  {
    text: /connection refused|actively refused|os error (?:111|61|10061)\b/i,
    class: "dial",
    code: "provider.unreachable",
    says: "the connection was refused",
    remedy: DIAL_REMEDY,
  },
  {
    text: /network is unreachable|no route to host|host is unreachable|os error (?:101|113|51|65)\b/i,
    class: "dial",
    code: "provider.unreachable",
    says: "there is no route to the host",
    remedy: "Check the network connection.",
  },
  {
    text: /timed out|timeout/i,
    class: "dial",
    code: "provider.unreachable",
    says: "no connection within the time limit",
    remedy: DIAL_REMEDY,
  },
  {
    text: /invalid url|invalid header|scheme .* not supported|ports? \d* ?(?:is|are) blocked/i,
    class: "final",
    code: "provider.rejected",
    says: "the address or a header of the provider is not valid",
    remedy: "Check base_url, request_url and headers of the provider.",
  },
  {
    text: /invalid HTTP version|invalid HTTP|parse error|message head is too large|unexpected message/i,
    class: "final",
    code: "provider.bad_response",
    says: "the answer is not HTTP",
    remedy: "Check address and port of the provider.",
  },
];

/** `via`: the proxy that may stand between, whose fault a failed dial may be. */
export function transportFailure(endpoint: Endpoint, thrown: unknown, via: string | undefined): Failure {
  const text = chainText(thrown);
  const rule = RULES.find((candidate) => candidate.text.test(text));
  const who = nameOf(endpoint);
  if (!rule) {
    return {
      class: "drop",
      cause: "connection_closed",
      error: new ReasonixError("provider.transient", `${who}: the connection was closed before an answer came`, {
        cause: new Error(endpoint.redact(text)),
        retry: true,
      }),
    };
  }
  const proxy = via !== undefined && rule.class === "dial" ? ` (through the proxy ${via})` : "";
  return {
    class: rule.class,
    cause: rule.says.includes("time limit") ? "timeout" : "connection_closed",
    error: new ReasonixError(rule.code, `${who}: ${rule.says}${proxy}`, {
      cause: new Error(endpoint.redact(text)),
      retry: rule.class !== "final",
      remedy: rule.remedy,
    }),
  };
}

/** Messages of an error and its causes, without the URL, which may hold anything. */
function chainText(thrown: unknown): string {
  const parts: string[] = [];
  for (let error = thrown; error instanceof Error && parts.length < 5; error = error.cause) {
    parts.push(error.message.replace(/\b[a-z]+:\/\/\S+/gi, ""));
  }
  return parts.join(" / ");
}
