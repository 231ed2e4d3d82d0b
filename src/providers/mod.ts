/** Model providers: the list of wire kinds, the ports they reach the network by, and the lists of models. */
export type { Balance } from "./balance.ts";
export { builtinKinds } from "./kinds.ts";
export { demoTask } from "./demo/task.ts";
export { createPorts } from "./ports.ts";
export { createProvider, listModels, requestBalance } from "./create_provider.ts";
