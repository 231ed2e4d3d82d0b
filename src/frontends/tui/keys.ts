/** The keys of the main screen, as data: what they are called, what they do, and the words of the help. */
import { decodeKittyPrintable, type KeyId, matchesKey } from "@earendil-works/pi-tui";
import type { TextKey } from "../view/mod.ts";

export type KeyAction =
  | "escape"
  | "interrupt"
  | "leave"
  | "steer"
  | "cycle_posture"
  | "toggle_yolo"
  | "toggle_reasoning"
  | "toggle_output"
  | "redraw"
  | "paste_image"
  | "edit_outside"
  | "suspend";

export interface KeyBinding {
  readonly action: KeyAction;
  readonly keys: readonly KeyId[];
  readonly help: TextKey;
}

export const KEY_BINDINGS: readonly KeyBinding[] = [
  { action: "escape", keys: ["escape"], help: "keys.escape" },
  { action: "interrupt", keys: ["ctrl+c"], help: "keys.interrupt" },
  { action: "leave", keys: ["ctrl+d"], help: "keys.leave" },
  { action: "steer", keys: ["ctrl+enter", "alt+s"], help: "keys.steer" },
  { action: "cycle_posture", keys: ["shift+tab"], help: "keys.cycle_posture" },
  { action: "toggle_yolo", keys: ["ctrl+y"], help: "keys.toggle_yolo" },
  { action: "toggle_reasoning", keys: ["ctrl+o"], help: "keys.toggle_reasoning" },
  { action: "toggle_output", keys: ["ctrl+b"], help: "keys.toggle_output" },
  { action: "redraw", keys: ["ctrl+l"], help: "keys.redraw" },
  { action: "paste_image", keys: ["ctrl+v", "alt+v"], help: "keys.paste_image" },
  { action: "edit_outside", keys: ["ctrl+g"], help: "keys.edit_outside" },
  { action: "suspend", keys: ["ctrl+z"], help: "keys.suspend" },
];

export function actionOf(data: string): KeyAction | undefined {
  const is = pressed(data);
  return KEY_BINDINGS.find(({ keys }) => is(...keys))?.action;
}

/** What was pressed, to be asked: `is("escape", "ctrl+c")`. */
export function pressed(data: string): (...keys: readonly KeyId[]) => boolean {
  return (...keys) => keys.some((key) => matchesKey(data, key));
}

/** Text that a key types, or undefined for a key that types none. */
export function typedText(data: string): string | undefined {
  const decoded = decodeKittyPrintable(data);
  if (decoded !== undefined) return decoded;
  return data.length > 0 && !/[\u0000-\u001f\u007f-\u009f]/.test(data) ? data : undefined;
}
