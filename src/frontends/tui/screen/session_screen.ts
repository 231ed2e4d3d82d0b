/**
 * One frame: the conversation, the panels of running work, and the bottom. Owns what is on the screen and nothing of
 * what it means. The bottom keeps its room whatever streams above.
 */
import type { ViewState } from "../../view/mod.ts";
import type { Composer } from "../composer/composer.ts";
import type { Look } from "../look.ts";
import { layOutBottom, type Overlay } from "../overlays/overlay.ts";
import { queuePanel, todoPanel } from "../status/panels.ts";
import { type StatusFacts, statusRows } from "../status/status_rows.ts";
import { Transcript } from "../transcript/transcript.ts";
import { wrap } from "../wrap.ts";
import type { Frame, FrameSource } from "./main_screen.ts";
import { append } from "../../../lib/append.ts";

export interface ScreenModel {
  readonly look: Look;
  readonly view: ViewState;
  /** Which waiting message is in the composer, from 1. */
  readonly editing: number | undefined;
  readonly overlay: Overlay | undefined;
  readonly status: Omit<StatusFacts, "view">;
}

export class SessionScreen implements FrameSource {
  readonly #model: () => ScreenModel;
  readonly #composer: () => Composer;
  readonly #transcript = new Transcript();
  /** Lines to write before anything else, such as the greeting. */
  readonly #first: string[] = [];

  constructor(model: () => ScreenModel, composer: () => Composer) {
    this.#model = model;
    this.#composer = composer;
  }

  /** Writes lines above the live region. */
  print(lines: readonly string[]): void {
    append(this.#first, lines);
  }

  frame(width: number, rows: number): Frame {
    const { look, view, editing, overlay, status } = this.#model();
    const composer = this.#composer();
    const modal = overlay?.owner === "panel";
    composer.focused = !modal;
    const first = this.#first.splice(0).flatMap((line) => wrap(line, width));
    const settled = [...first, ...this.#transcript.settle(view, width, look)];
    const bottom = layOutBottom(overlay, {
      composer: (room) => composer.renderWithin(width, room),
      status: statusRows({ view, ...status }, width, look),
    }, { width, rows });
    let room = rows - bottom.lines.length;
    const working = view.turnId !== undefined && !modal;
    const todos = working ? todoPanel(view.todos, Math.min(8, Math.floor(room / 3)), look) : [];
    room -= todos.length;
    const queued = modal ? [] : queuePanel(view, { editing, rows: Math.min(4, room - 2) }, look);
    room -= queued.length;
    const gap = room > 2 ? [""] : [];
    const talk = this.#transcript.live(view, { width, rows: room - gap.length }, look);
    const shown = endOf(talk, room - gap.length, look);
    return { settled, live: [...shown, ...gap, ...todos, ...queued, ...bottom.lines] };
  }
}

/** What does not fit of what still changes is counted; it is written whole when it is final. */
function endOf(lines: readonly string[], room: number, { theme, t }: Look): readonly string[] {
  if (lines.length <= room) return lines;
  if (room < 2) return lines.slice(lines.length - Math.max(0, room));
  const shown = lines.slice(-(room - 1));
  return [theme.dim(t("output.above", { lines: lines.length - shown.length })), ...shown];
}
