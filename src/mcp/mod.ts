export { Front, type FrontOptions } from "./front.ts";
export { Host, type HostOptions, openHost } from "./host.ts";
export type { HostPorts } from "./host_ports.ts";
export { type FixedOAuth, type ServerSettings, type ServerTarget } from "./settings.ts";
export { signIn, type SignInOptions } from "./oauth/sign_in.ts";
export { SignInStore } from "./oauth/store.ts";
export { stateFolder } from "./state_folder.ts";
export { connectionIdentity } from "./settings.ts";
