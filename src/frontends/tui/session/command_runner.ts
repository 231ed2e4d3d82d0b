/** Runs command lines and shows their answers: panels, pickers, notices, and what only a screen can do. */
import type { CommandAnswer, Commands } from "../../../controller/mod.ts";
import type { TextKey } from "../../view/mod.ts";
import type { Look } from "../look.ts";
import type { ModalPanel } from "../overlays/overlay.ts";
import { Picker } from "../overlays/picker.ts";
import { TextPanel } from "../overlays/text_panel.ts";
import { helpText } from "./help_text.ts";

export interface CommandRunnerPorts {
  readonly commands: Commands;
  look(): Look;
  setLook(change: Partial<Look>): void;
  /** Puts a panel over the composer, or takes it away. */
  open(panel: ModalPanel | undefined): void;
  /** A message to the model. */
  send(text: string): void;
  steer(text: string): void;
  notice(text: string, level?: "info" | "warning" | "error"): void;
  clear(): void;
  leave(): void;
  draw(): void;
  /** After a defect: report and end. */
  crash(error: unknown): void;
}

export class CommandRunner {
  readonly #ports: CommandRunnerPorts;

  constructor(ports: CommandRunnerPorts) {
    this.#ports = ports;
  }

  /** Never rejects. */
  async run(line: string): Promise<void> {
    const { commands, crash, draw } = this.#ports;
    try {
      this.#answer(line, await commands.run(line));
    } catch (error) {
      crash(error);
    }
    draw();
  }

  #answer(line: string, answer: CommandAnswer): void {
    const { look, open, send, notice } = this.#ports;
    const close = () => open(undefined);
    switch (answer.kind) {
      case "text":
        open(new TextPanel({ look, title: line.split(/\s/, 1)[0]!, text: answer.text, close }));
        break;
      case "done":
        if (answer.text) notice(answer.text);
        break;
      case "error":
        notice(answer.text, "warning");
        break;
      case "prompt":
        send(answer.text);
        break;
      case "screen": {
        const choose = (chosen: string) => {
          close();
          void this.run(chosen);
        };
        open(new Picker(answer.screen, { look, choose, close }));
        break;
      }
      case "frontend":
        this.#frontend(answer.action, answer.argument);
        break;
      case "unknown": {
        const name = line.split(/\s/, 1)[0]!;
        if (name === "/rewind" || name === "/remember") {
          return notice(this.#t("command.missing", { name }), "warning");
        }
        const near = answer.nearest;
        notice(
          near ? this.#t("command.unknown_near", { name, near }) : this.#t("command.unknown", { name }),
          "warning",
        );
        send(line);
      }
    }
  }

  /** What only a screen can do. */
  #frontend(action: string, argument: string): void {
    const { leave, clear, commands, look, setLook, steer, notice } = this.#ports;
    switch (action) {
      case "quit":
        return leave();
      case "cls":
        return clear();
      case "verbose":
        return setLook({ showReasoning: !look().showReasoning });
      case "steer":
        return steer(argument);
      case "help":
        return this.#answer("/help", { kind: "text", text: helpText(commands, look().t) });
      default:
        notice(this.#t("command.missing", { name: `/${action}` }), "warning");
    }
  }

  #t(key: TextKey, values?: Readonly<Record<string, string | number>>): string {
    return this.#ports.look().t(key, values);
  }
}
