/** How far a fact can be trusted by its age alone. */
import type { Fact } from "./fact.ts";

export type Freshness = "fresh" | "ageing" | "stale" | "expired";

const DAY_MS = 86_400_000;

/** Days: fresh until, stale after. */
const OF_TYPE = {
  reference: [14, 45],
  project: [30, 180],
  user: [90, 365],
  feedback: [90, 365],
} as const;
/** Before the type. Evergreen facts stay fresh. */
const OF_VOLATILITY = { volatile: [7, 30], stable: [90, 365] } as const;

export function freshnessOf(fact: Fact, now: number): Freshness {
  if (fact.expiresAt !== undefined && Date.parse(fact.expiresAt) <= now) return "expired";
  if (fact.volatility === "evergreen") return "fresh";
  const [fresh, stale] = fact.volatility ? OF_VOLATILITY[fact.volatility] : OF_TYPE[fact.type];
  const seen = Math.max(Date.parse(fact.updatedAt), Date.parse(fact.lastVerifiedAt ?? fact.updatedAt));
  const days = (now - seen) / DAY_MS;
  return days <= fresh ? "fresh" : days <= stale ? "ageing" : "stale";
}
