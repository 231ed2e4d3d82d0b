/** Model providers: the registry of wire kinds, the ports they reach the network by, and the lists of models. */
export type { Balance } from "./balance.ts";
export { builtinKinds } from "./builtin.ts";
export { demoTask } from "./demo/task.ts";
export { createPorts } from "./ports.ts";
export { createProvider, listModels, requestBalance } from "./registry.ts";
