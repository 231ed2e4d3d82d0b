/**
 * How far a turn is carried: `balanced` as the person asks, `delivery` to a checked end. It is told with each message,
 * never in the prefix; what the host saw decides whether something is left to check, and asks for that once a turn.
 */
import type { WorkPreset } from "../contract/decision.ts";
import type { LoopObserver } from "../contract/observer.ts";
import DELIVERY from "./delivery.md" with { type: "text" };
import { type Standing, TurnReceipts } from "./turn_receipts.ts";

export interface PresetOptions {
  readonly preset: WorkPreset;
  /** Told at the end of a turn whose changes stand unchecked. */
  unchecked(text: string): void;
}

/** Names in what the person and the model are told. */
const SHOWN_FILES = 8;

export class PresetState {
  readonly #options: PresetOptions;
  readonly #receipts = new TurnReceipts();
  #preset: WorkPreset;
  #reminded = false;

  constructor(options: PresetOptions) {
    this.#options = options;
    this.#preset = options.preset;
  }

  get preset(): WorkPreset {
    return this.#preset;
  }

  set(preset: WorkPreset): void {
    this.#preset = preset;
  }

  get observer(): LoopObserver {
    return {
      name: "preset",
      turnBegins: () => {
        this.#receipts.begin();
        this.#reminded = false;
        return Promise.resolve(this.#delivers ? { before: [DELIVERY.trim()] } : undefined);
      },
      callEnded: (call, output) => {
        this.#receipts.add(call, output);
        return Promise.resolve();
      },
      turnMayEnd: () => {
        const left = this.#delivers && !this.#reminded ? leftToDo(this.#receipts.standing) : undefined;
        this.#reminded ||= left !== undefined;
        return Promise.resolve(
          left && `${left} Mend and check it now. What cannot be checked here, name as not verified, and say why.`,
        );
      },
      turnEnded: ({ outcome }) => {
        const left = this.#delivers && outcome === "completed" ? leftToDo(this.#receipts.standing) : undefined;
        if (left !== undefined) this.#options.unchecked(left);
        return Promise.resolve();
      },
    };
  }

  get #delivers(): boolean {
    return this.#preset === "delivery";
  }
}

function leftToDo(standing: Standing): string | undefined {
  if (standing.kind === "failed") return `The last check after the changes failed: ${standing.command}.`;
  if (standing.kind !== "unchecked") return undefined;
  const { files } = standing;
  const more = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} more` : "";
  return `Nothing was run after the last change of ${files.slice(0, SHOWN_FILES).join(", ")}${more}.`;
}
