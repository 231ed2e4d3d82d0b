/** MCP servers: their tools for one agent, the servers themselves, and signing in to them. */
export { type AskPerson, elicitFromPerson } from "./elicitation.ts";
export { Front } from "./front.ts";
export { Host, openHost } from "./host.ts";
export type { HostPorts } from "./host_ports.ts";
export { signIn } from "./oauth/sign_in.ts";
export { SignInStore } from "./oauth/store.ts";
export { connectionIdentity, type ServerSettings } from "./settings.ts";
export { stateFolder } from "./state_folder.ts";
export { loadToolCache } from "./tool_cache.ts";
