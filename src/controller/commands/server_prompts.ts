/** Prompts of MCP servers as commands: `/mcp__<server>__<prompt>`. */
import { ToolError } from "../../contract/errors.ts";
import type { Controller } from "../controller.ts";
import type { CommandSource } from "./host.ts";

export function createServerPrompts(controller: Pick<Controller, "servers">): CommandSource {
  return {
    list: () =>
      (controller.servers?.prompts() ?? []).map((prompt) => ({
        name: prompt.command,
        summary: prompt.description || `Prompt ${prompt.name} of ${prompt.server}`,
        argumentHint: prompt.arguments.map(({ name, required }) =>
          required ? name.toUpperCase() : `[${name.toUpperCase()}]`
        )
          .join(" "),
        group: "mcp",
      })),
    run: async (name, argument) => {
      const { servers } = controller;
      if (!servers?.prompts().some(({ command }) => command === name)) return undefined;
      const words = argument.split(/\s+/).filter((word) => word !== "");
      try {
        return { kind: "prompt", text: await servers.prompt(name, words, AbortSignal.timeout(PROMPT_LIMIT)) };
      } catch (error) {
        if (error instanceof ToolError) return { kind: "error", text: error.message };
        if (error instanceof DOMException && error.name === "TimeoutError") {
          return { kind: "error", text: `/${name}: the server gave no answer within ${PROMPT_LIMIT / 1000} s` };
        }
        throw error;
      }
    },
  };
}

/** Milliseconds. */
const PROMPT_LIMIT = 30_000;
