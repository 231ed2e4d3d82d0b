/** What other programs may ask about sessions: gathered here, put into words by `machine_forms.ts`. */
import { describeSession, type SessionRecord } from "./catalogue.ts";
import type { MachineIds } from "./machine_id.ts";
import { type Holder, holderOf } from "./ownership.ts";
import { sidecars } from "./paths.ts";

export type SessionState = "idle" | "running" | "interrupted" | "damaged";

export interface InspectedSession extends SessionRecord {
  readonly machineId: string;
  readonly parentMachineId?: string;
  /** `running`: held, and a turn is on. A turn without a living holder is `interrupted`. */
  readonly state: SessionState;
  /** Who has it open now; `unknown` for one without a name. */
  readonly holder?: Holder | "unknown";
  /** What could not be read and lies beside the transcript. */
  readonly setAside?: { readonly path: string; readonly bytes: number };
}

export async function inspectSession(
  record: SessionRecord,
  options: { readonly machineIds: MachineIds },
): Promise<InspectedSession> {
  const { machineIds } = options;
  const holder = holderOf(record.path);
  const setAside = sizeOf(sidecars(record.path).damaged);
  return {
    ...record,
    machineId: await machineIds.of(record.id),
    ...(record.parentId === undefined ? {} : { parentMachineId: await machineIds.of(record.parentId) }),
    state: toState(record, holder !== undefined),
    ...(holder === undefined ? {} : { holder }),
    ...(setAside === undefined ? {} : { setAside: { path: sidecars(record.path).damaged, bytes: setAside } }),
  };
}

/** One session by path, as a list would show it. */
export function inspectPath(
  path: string,
  options: { readonly machineIds: MachineIds },
): Promise<InspectedSession> {
  const isLogged = sizeOf(sidecars(path).events) !== undefined;
  return inspectSession(describeSession(path, { leased: holderOf(path) !== undefined, logged: isLogged }), options);
}

function toState(record: SessionRecord, isHeld: boolean): SessionState {
  if (isHeld) return record.inFlight === undefined ? "idle" : "running";
  if (record.damaged !== undefined) return "damaged";
  return record.inFlight === undefined ? "idle" : "interrupted";
}

function sizeOf(path: string): number | undefined {
  try {
    return Deno.statSync(path).size;
  } catch {
    return undefined;
  }
}
