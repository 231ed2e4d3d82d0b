/** The wire kinds. A new one is a folder and a line here; a kind's code is loaded when a provider of it is created. */
import type { ProviderKind } from "../contract/provider.ts";

export type KindLoader = () => Promise<ProviderKind>;

export const builtinKinds: ReadonlyMap<string, KindLoader> = new Map([
  ["openai", async () => (await import("./openai/mod.ts")).openaiKind],
]);
