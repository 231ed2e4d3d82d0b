/** Which vendor an endpoint belongs to: how each kind finds its row in its table of dialects. */
import type { ProviderSettings } from "../contract/provider.ts";

/** A row. What the kinds have in common; the rest is each kind's own. */
export interface Vendor {
  /** As `reasoning_protocol` names it. */
  readonly name: string;
  /** Host names, with everything below them. */
  readonly hosts: readonly string[];
  /** Beginnings of model ids that tell the family behind an unknown host; the part after the last `/` counts too. */
  readonly families?: readonly string[];
  /** The hosts serve other models too: the family decides there. */
  readonly hostServesOthers?: boolean;
  /** What each effort level is on the wire, weakest first. Absent: nothing is known; empty: takes no level. */
  readonly efforts?: Readonly<Record<string, unknown>>;
  /** Other words for levels. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Level where nobody chose one; absent: nothing is sent. */
  readonly defaultEffort?: string;
}

export interface VendorChoice<V> {
  readonly dialect: V;
  /** `family`: a guess, good enough to replay what came, not to send fields nobody asked for. */
  readonly by: "protocol" | "host" | "family" | "nothing";
}

/** By name, else by host, else by family; `generic` where nothing tells. The first row that fits counts. */
export function chooseVendor<V extends Vendor>(
  vendors: readonly V[],
  generic: V,
  asked: { readonly settings: ProviderSettings; readonly target: URL },
): VendorChoice<V> {
  const { settings, target } = asked;
  const named = vendors.find((vendor) => vendor.name === settings.reasoningProtocol);
  if (named) return { dialect: named, by: "protocol" };
  const host = target.hostname.toLowerCase();
  const model = settings.model.toLowerCase();
  const short = model.slice(model.lastIndexOf("/") + 1);
  const ofFamily = (vendor: V) => vendor.families?.some((start) => short.startsWith(start)) ?? false;
  const onHost = vendors.filter((vendor) => vendor.hosts.some((name) => host === name || host.endsWith("." + name)));
  const known = onHost.find((vendor) => !vendor.hostServesOthers || ofFamily(vendor));
  if (known) return { dialect: known, by: "host" };
  if (onHost.length > 0) return { dialect: generic, by: "host" };
  const family = vendors.find(ofFamily);
  return family ? { dialect: family, by: "family" } : { dialect: generic, by: "nothing" };
}
