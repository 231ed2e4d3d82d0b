/** `!command`: run by the person, shown like a call, unknown to the model. One at a time. */
import type { EventBody, ToolView } from "../../../contract/event.ts";
import type { Processes } from "../../../contract/workspace.ts";
import { errorText } from "../../../lib/error_text.ts";
import { PERSON_SHELL } from "../transcript/tool_card.ts";
import { runShell, type ShellRun } from "../process/person_programs.ts";

/** Characters of output that are kept: the end. */
const KEPT = 64_000;

export interface PersonShellPorts {
  readonly processes: Processes;
  show(body: EventBody): void;
  draw(lazy?: boolean): void;
}

export class PersonShell {
  readonly #ports: PersonShellPorts;
  #run: ShellRun | undefined;
  #busy = false;
  #count = 0;

  constructor(ports: PersonShellPorts) {
    this.#ports = ports;
  }

  get running(): boolean {
    return this.#busy;
  }

  /** Never rejects. */
  async run(command: string): Promise<void> {
    const { processes, show, draw } = this.#ports;
    if (this.#busy) return;
    this.#busy = true;
    const startedAt = Date.now();
    const view: ToolView = {
      id: `person-${++this.#count}`,
      name: PERSON_SHELL,
      args: JSON.stringify({ command }),
      readOnly: false,
      startedAt,
      runState: "running",
    };
    show({ kind: "tool_started", tool: view });
    draw();
    let output = "";
    const end = (rest: Partial<ToolView>) =>
      show({
        kind: "tool_result",
        tool: {
          ...view,
          output,
          endedAt: Date.now(),
          durationMs: Date.now() - startedAt,
          runState: "completed",
          ...rest,
        },
      });
    try {
      this.#run = await runShell(processes, command, (text) => {
        output = (output + text).slice(-KEPT);
        show({ kind: "tool_progress", tool: { id: view.id }, text });
        draw(true);
      });
      const { code, signal } = await this.#run.ended;
      end(
        code === 0 ? { exitCode: 0 } : {
          err: output,
          ...(code === undefined ? {} : { exitCode: code }),
          ...(signal ? { err: `${output}\n${signal}` } : {}),
        },
      );
    } catch (error) {
      end({ err: errorText(error) });
    } finally {
      this.#run = undefined;
      this.#busy = false;
      draw();
    }
  }

  stop(): void {
    void this.#run?.kill();
  }
}
