/** Runs command lines and shows their answers: panels, pickers, notices, and what only a screen can do. */
import type { CommandAnswer, Commands } from "../../../controller/mod.ts";
import type { TextKey, ViewState } from "../../view/mod.ts";
import type { Look } from "../look.ts";
import type { ModalPanel } from "../overlays/overlay.ts";
import { Picker } from "../overlays/picker.ts";
import { SkillPanel } from "../overlays/skill_panel.ts";
import { SecretInput } from "../overlays/secret_input.ts";
import { TextPanel } from "../overlays/text_panel.ts";
import { helpText } from "./help_text.ts";
import { queueScreen } from "./queue_screen.ts";

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
  setDraft(text: string): void;
  /** Takes the panel away and goes on in the composer with what was typed. */
  type(data: string): void;
  /** What waits for the running turn. */
  inbox(): ViewState["inbox"];
  /** Takes a waiting message up into the composer. */
  editQueued(id: string): void;
  clear(): void;
  leave(): void;
  /** To the clipboard. */
  copy(text: string): Promise<void>;
  pasteImage(): Promise<void>;
  /** A key was given: saves it, and tells what comes of it. */
  saveKey(name: string, value: string): void;
  /** A setting was saved: what is on the screen follows it. */
  changeSetting(name: string, value: string): void;
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
    const { look, open, send, notice, type } = this.#ports;
    const close = () => open(undefined);
    const instead = (chosen: string) => {
      close();
      void this.run(chosen);
    };
    switch (answer.kind) {
      case "text":
        // What is said in a line needs no panel that has to be closed again.
        if (answer.bar === undefined && !answer.text.trim().includes("\n")) notice(answer.text.trim());
        else {open(
            new TextPanel({ look, title: line.split(/\s/, 1)[0]!, text: answer.text, bar: answer.bar, close, type }),
          );}
        break;
      case "done":
        if (answer.text) notice(answer.text);
        if (answer.draft !== undefined) this.#ports.setDraft(answer.draft);
        break;
      case "error":
        notice(answer.text, "warning");
        break;
      case "prompt":
        send(answer.text);
        break;
      case "screen":
        open(new Picker(answer.screen, { look, choose: instead, close }));
        break;
      case "skills":
        for (const told of answer.notices ?? []) notice(told, "warning");
        open(new SkillPanel(answer.skills, { look, run: instead, close }));
        break;
      case "frontend":
        this.#frontend(answer);
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
  #frontend({ action, argument }: Extract<CommandAnswer, { kind: "frontend" }>): void {
    const ports = this.#ports;
    switch (action) {
      case "quit":
        return ports.leave();
      case "cls":
        return ports.clear();
      case "verbose":
        return ports.setLook({ showReasoning: !ports.look().showReasoning });
      case "diff-fold": {
        const foldDiffs = !ports.look().foldDiffs;
        ports.setLook({ foldDiffs });
        return ports.notice(this.#t(foldDiffs ? "diff.folds" : "diff.shows"));
      }
      case "steer":
        return ports.steer(argument);
      case "help":
        return this.#answer("/help", { kind: "text", text: helpText(ports.commands, ports.look().t) });
      case "copy":
        return void ports.copy(argument).catch(ports.crash);
      case "paste-image":
        return void ports.pasteImage().catch(ports.crash);
      case "mouse":
        return ports.notice(this.#t("mouse.terminal"));
      case "queue":
        return this.#queue(argument);
      case "secret": {
        const close = () => ports.open(undefined);
        const save = (value: string) => {
          close();
          ports.saveKey(argument, value);
        };
        return ports.open(new SecretInput({ look: ports.look, name: argument, save, close }));
      }
      case "setting": {
        const [name = "", value = ""] = argument.split(" ");
        return ports.changeSetting(name, value);
      }
    }
  }

  #queue(argument: string): void {
    const [verb, id = ""] = argument.split(" ");
    if (verb === "edit") return this.#ports.editQueued(id);
    const screen = queueScreen(this.#ports.inbox(), this.#ports.look().t);
    if (screen.rows.length === 0) return this.#ports.notice(screen.empty);
    this.#answer("/queue", { kind: "screen", screen, text: "" });
  }

  #t(key: TextKey, values?: Readonly<Record<string, string | number>>): string {
    return this.#ports.look().t(key, values);
  }
}
