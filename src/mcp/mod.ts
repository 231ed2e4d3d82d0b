export { Front, type FrontOptions } from "./front.ts";
export { Host, type HostOptions, openHost } from "./host.ts";
export type { HostPorts } from "./host_ports.ts";
export { type FixedOAuth, type ServerSettings, type ServerTarget } from "./settings.ts";
