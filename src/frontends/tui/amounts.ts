/** Times, tokens and money as people read them. */

/** `0.8 s`, `12 s`, `3 min 5 s`. */
export function seconds(ms: number): string {
  const whole = Math.max(0, ms) / 1000;
  if (whole < 10) return `${whole.toFixed(1)} s`;
  if (whole < 60) return `${Math.floor(whole)} s`;
  return `${Math.floor(whole / 60)} min ${Math.floor(whole % 60)} s`;
}

/** `940`, `12.3k`, `1.2M`. */
export function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 1_000_000) return `${(tokens / 1000).toFixed(tokens < 100_000 ? 1 : 0)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

export function money(amount: number, currency: string): string {
  const sign = currency === "CNY" ? "¥" : currency === "USD" ? "$" : `${currency} `;
  return `${sign}${amount < 0.01 && amount > 0 ? amount.toPrecision(2) : amount.toFixed(2)}`;
}
