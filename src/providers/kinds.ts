/** The wire kinds. A new one is a folder and a line here; a kind's code is loaded when a provider of it is created. */
import type { WireKind } from "./wire.ts";

export type KindLoader = () => Promise<WireKind>;

export const builtinKinds: ReadonlyMap<string, KindLoader> = new Map<string, KindLoader>([
  ["openai", async () => (await import("./openai/mod.ts")).openaiKind],
  ["anthropic", async () => (await import("./anthropic/mod.ts")).anthropicKind],
  ["responses", async () => (await import("./responses/mod.ts")).responsesKind],
  ["demo", async () => (await import("./demo/mod.ts")).demoKind],
]);
