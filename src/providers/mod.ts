/** Model providers: the registry of wire kinds, the ports they reach the network by, and the lists of models. */
export type { Balance, BalanceAmount } from "./balance.ts";
export { builtinKinds, type KindLoader } from "./builtin.ts";
export { type DemoFile, type DemoTask, demoTask } from "./demo/task.ts";
export { createPorts, type PortOptions } from "./ports.ts";
export { createProvider, listModels, requestBalance } from "./registry.ts";
