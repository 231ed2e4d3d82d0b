/**
 * What may lie over the bottom of the screen, and who then owns the keys. A modal panel owns them all and is drawn in
 * the place of the composer; an attached panel lives on what is typed and is drawn together with it. The two are
 * different types, and the layout takes the composer only with the second: a composer under a modal panel cannot be
 * written.
 */
export type Overlay =
  | { readonly owner: "panel"; readonly panel: ModalPanel }
  | { readonly owner: "composer"; readonly panel: AttachedPanel };

export interface ModalPanel {
  /** At most `rows` lines. */
  render(width: number, rows: number): readonly string[];
  /** Every key comes here. */
  key(data: string): void;
}

export interface AttachedPanel {
  render(width: number, rows: number): readonly string[];
  /** A key it takes from the composer, such as Escape; false leaves it there. */
  key(data: string): boolean;
  /** The composer's text when it is sent. */
  submit(text: string): void;
}

export interface BottomParts {
  /** Draws the composer within so many rows. Not called under a modal panel. */
  composer(rows: number): readonly string[];
  readonly status: readonly string[];
}

export interface Bottom {
  readonly lines: readonly string[];
  readonly composerShown: boolean;
}

/** Panel and status, or panel, composer and status: at most `rows` lines, the status row kept longest. */
export function layOutBottom(overlay: Overlay | undefined, parts: BottomParts, size: Size): Bottom {
  const { width, rows } = size;
  const status = parts.status.slice(0, Math.max(1, rows - 4));
  const room = Math.max(3, rows - status.length);
  if (overlay?.owner === "panel") {
    return { lines: [...clip(overlay.panel.render(width, room), room), ...status], composerShown: false };
  }
  const composer = clip(parts.composer(room), room);
  const panelRoom = Math.max(0, room - composer.length);
  const panel = overlay ? clip(overlay.panel.render(width, panelRoom), panelRoom) : [];
  return { lines: [...panel, ...composer, ...status], composerShown: true };
}

export interface Size {
  readonly width: number;
  readonly rows: number;
}

function clip(lines: readonly string[], rows: number): readonly string[] {
  return lines.length <= rows ? lines : lines.slice(0, rows);
}
