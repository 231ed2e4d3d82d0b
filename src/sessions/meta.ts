/**
 * The small file beside a transcript that a list can be made from. Everything in it but names given by people can be
 * rebuilt from the transcript, so it is replaced without a flush and a damaged one is simply made anew. Keys this
 * version does not know survive.
 */
import { isCount, isRecord, parseJson } from "../lib/json.ts";
import { toPreview } from "./preview.ts";
import { sideTextOf } from "./side_file.ts";
import { writeStateFile } from "./state_file.ts";
import { sidecars } from "./paths.ts";

export interface InFlightTurn {
  readonly id: string;
  /** Index of the turn's first message. */
  readonly startMessageIndex: number;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
}

export interface SessionMeta {
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly workspaceRoot?: string;
  readonly model?: string;
  /** Name the user gave it. */
  readonly title?: string;
  readonly turns?: number;
  readonly preview?: string;
  /** Size of the transcript this was written for. */
  readonly bytes?: number;
  readonly inFlight?: InFlightTurn;
  readonly parentId?: string;
  /** Holds what could not be written to its parent. */
  readonly recovered?: boolean;
  readonly recoveryReason?: string;
  readonly recoveryDepth?: number;
  readonly recoveryRootId?: string;
  /** Files of other versions whose messages were taken over: name and size. */
  readonly importedFrom?: string;
  /** Keys of other versions, as they were read. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

const SCHEMA_VERSION = 2;

/** Facts for a list are few. Bytes. */
const LARGEST = 1024 * 1024;

/** What a `Date` can hold. */
const LAST_TIME = 8.64e15;

/** Undefined where there is none, or none that can be used. */
export function loadMeta(transcript: string): SessionMeta | undefined {
  const text = sideTextOf(sidecars(transcript).meta, LARGEST);
  return text === undefined ? undefined : parseMeta(text);
}

export function saveMeta(transcript: string, meta: SessionMeta): void {
  writeStateFile(sidecars(transcript).meta, formatMeta(meta));
}

function parseMeta(text: string): SessionMeta | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || typeof value.id !== "string" || value.id === "") return undefined;
  const {
    id,
    created_at,
    updated_at,
    workspace_root,
    model,
    custom_title,
    turns,
    preview,
    transcript_bytes,
    in_flight_turn,
    parent_id,
    recovered,
    recovery_reason,
    recovery_depth,
    recovery_root_id,
    imported_from,
    schema_version: _,
    ...unknown
  } = value;
  const createdAt = toTime(created_at) ?? 0;
  return compact({
    id,
    createdAt,
    updatedAt: toTime(updated_at) ?? createdAt,
    workspaceRoot: toText(workspace_root),
    model: toText(model),
    title: toLine(custom_title),
    turns: toCount(turns),
    preview: toLine(preview),
    bytes: toCount(transcript_bytes),
    inFlight: toInFlight(in_flight_turn),
    parentId: toText(parent_id),
    recovered: recovered === true ? true : undefined,
    recoveryReason: toText(recovery_reason),
    recoveryDepth: toCount(recovery_depth),
    recoveryRootId: toText(recovery_root_id),
    importedFrom: toText(imported_from),
    unknown,
  });
}

function formatMeta(meta: SessionMeta): string {
  const { inFlight } = meta;
  return JSON.stringify({
    ...meta.unknown,
    schema_version: SCHEMA_VERSION,
    id: meta.id,
    created_at: fromTime(meta.createdAt),
    updated_at: fromTime(meta.updatedAt),
    workspace_root: meta.workspaceRoot,
    model: meta.model,
    custom_title: meta.title,
    turns: meta.turns,
    preview: meta.preview,
    transcript_bytes: meta.bytes,
    in_flight_turn: inFlight === undefined ? undefined : {
      id: inFlight.id,
      start_message_index: inFlight.startMessageIndex,
      preserve_user: true,
      started_at: fromTime(inFlight.startedAt),
    },
    parent_id: meta.parentId,
    recovered: meta.recovered,
    recovery_reason: meta.recoveryReason,
    recovery_depth: meta.recoveryDepth,
    recovery_root_id: meta.recoveryRootId,
    imported_from: meta.importedFrom,
  }) + "\n";
}

function toInFlight(value: unknown): InFlightTurn | undefined {
  if (!isRecord(value)) return undefined;
  const startMessageIndex = toCount(value.start_message_index);
  if (startMessageIndex === undefined) return undefined;
  return { id: toText(value.id) ?? "", startMessageIndex, startedAt: toTime(value.started_at) ?? 0 };
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Shown in lists, and written by whoever wrote the file. */
function toLine(value: unknown): string | undefined {
  return typeof value === "string" ? toPreview(value) || undefined : undefined;
}

function toCount(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}

/** RFC 3339, or a number of milliseconds as some versions wrote. */
function toTime(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && time > 0 && time <= LAST_TIME ? Math.trunc(time) : undefined;
}

function fromTime(time: number): string {
  return new Date(time).toISOString();
}

function compact(meta: { [K in keyof SessionMeta]: SessionMeta[K] | undefined }): SessionMeta {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined)) as unknown as SessionMeta;
}
