/** Model providers: the registry of wire kinds, and the ports they reach the network by. */
export { builtinKinds, type KindLoader } from "./builtin.ts";
export { createPorts, type PortOptions } from "./ports.ts";
export { createProvider } from "./registry.ts";
