/** What the servers of a session need of the outside. */
import type { OpenProgram, ProgramToOpen } from "../contract/workspace.ts";
import type { Elicit } from "./connection.ts";
import type { ServerSettings } from "./settings.ts";
import type { Slots } from "./slots.ts";

export interface HostPorts {
  /** Starts a program behind the walls its server gets, fixed when it starts. */
  open(settings: ServerSettings, program: ProgramToOpen): Promise<OpenProgram>;
  /** Obeys the configured proxy. */
  readonly fetch: typeof fetch;
  /** The workspace: absolute, links resolved. */
  readonly root: string;
  /** Version of this program. */
  readonly version: string;
  /** A form a server wants filled in. Absent: nobody can be asked. */
  elicit?(server: string, ...args: Parameters<Elicit>): ReturnType<Elicit>;
  /** Starts at one time. */
  readonly slots: Slots;
  /** A new token for progress, unique in the session. */
  nextToken(): string;
  /** Milliseconds. */
  now(): number;
}
