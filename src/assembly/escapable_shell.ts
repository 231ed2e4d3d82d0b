/** The shell tool with its way out of the sandbox, for sessions in which a person can be asked. */
import type { Approver, Posture } from "../contract/decision.ts";
import type { ToolKind } from "../contract/tool.ts";
import type { Processes } from "../contract/workspace.ts";
import { offerEscape } from "../safety/mod.ts";

export interface EscapeContext {
  /** Processes without walls: they keep the session's temporary folder under its real path. */
  readonly unconfined: Processes;
  readonly approver: Approver;
  posture(): Posture;
}

export function escapableShell(kinds: readonly ToolKind[], context: EscapeContext): readonly ToolKind[] {
  const { unconfined, approver, posture } = context;
  return kinds.map((kind): ToolKind => {
    if (kind.name !== "bash") return kind;
    return {
      name: kind.name,
      create(ports, tools) {
        const workspace = { ...ports.workspace, processes: unconfined };
        return offerEscape({
          confined: kind.create(ports, tools),
          unconfined: kind.create({ ...ports, workspace }, tools),
          approver,
          posture,
        });
      },
    };
  });
}
