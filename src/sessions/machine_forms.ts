/**
 * The JSON of `session list|show|status|recovery`. Pure. Within one schema version a field keeps its type; one that
 * does not apply is left out, but for lists, which are then empty. Times are RFC 3339.
 */
import { ReasonixError } from "../contract/errors.ts";
import { errorText } from "../lib/error_text.ts";
import type { InspectedSession } from "./inspect.ts";

export type SessionCommand = "session.list" | "session.show" | "session.status" | "session.recovery";

type Json = { readonly [key: string]: unknown };

export function toSessionList(sessions: readonly InspectedSession[]): Json {
  return envelope("session.list", { sessions: sessions.map(toRow) });
}

export function toSessionShow(session: InspectedSession): Json {
  return envelope("session.show", {
    session: {
      ...toRow(session),
      transcript_id: session.id,
      path: session.path,
      bytes: session.bytes,
      workspace_root: session.workspaceRoot,
      recovery_reason: session.recoveryReason,
      holder: toHolder(session),
    },
  });
}

export function toSessionStatus(session: InspectedSession): Json {
  const { inFlight } = session;
  return envelope("session.status", {
    session: {
      id: session.machineId,
      status: session.state,
      updated_at: toTime(session.updatedAt),
      in_flight_turn: inFlight === undefined ? undefined : { id: inFlight.id, started_at: toTime(inFlight.startedAt) },
      holder: toHolder(session),
      damaged: session.damaged,
    },
  });
}

/** Branches made because a transcript was touched from outside, and bytes that were set aside. */
export function toSessionRecovery(sessions: readonly InspectedSession[]): Json {
  const branches = sessions.filter((session) => session.recovered).map((session) => ({
    id: session.machineId,
    kind: "branch",
    parent_id: session.parentMachineId,
    reason: session.recoveryReason,
    path: session.path,
    updated_at: toTime(session.updatedAt),
  }));
  const setAside = sessions.flatMap((session) =>
    session.setAside === undefined ? [] : [{ id: session.machineId, kind: "set_aside", ...session.setAside }]
  );
  return envelope("session.recovery", { recoveries: [...branches, ...setAside] });
}

/** For a failure of any of the commands. */
export function toSessionError(command: SessionCommand, error: unknown): Json {
  const isTyped = error instanceof ReasonixError;
  return envelope(command, {
    error: {
      code: isTyped ? error.code.replaceAll(".", "_") : "internal_bug",
      message: errorText(error),
    },
  });
}

function toRow(session: InspectedSession) {
  return {
    id: session.machineId,
    title: session.title,
    preview: session.preview,
    status: session.state,
    turns: session.turns,
    model: session.model,
    created_at: toTime(session.createdAt),
    updated_at: toTime(session.updatedAt),
    parent_id: session.parentMachineId,
    recovered: session.recovered ?? false,
    damaged: session.damaged,
  };
}

function toHolder({ holder }: InspectedSession) {
  if (holder === undefined || holder === "unknown") return undefined;
  return { pid: holder.pid, host: holder.host, program: holder.program, started_at: toTime(holder.startedAt) };
}

function toTime(time: number): string {
  return new Date(time).toISOString();
}

function envelope(command: SessionCommand, body: Record<string, unknown>): Json {
  return JSON.parse(JSON.stringify({ schema_version: 1, command, ...body }));
}
