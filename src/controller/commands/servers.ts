/** `/mcp`: the servers of this session, as a list to act on. */
import type { ServerView } from "../../contract/servers.ts";
import type { CommandAnswer } from "../command.ts";
import { type BuiltIn, type CommandContext, done, screen, splitFirst, text, WrongArgument } from "./built_in.ts";

export const SERVERS: readonly BuiltIn[] = [{
  name: "mcp",
  hint: "[show|reconnect|enable|disable NAME]",
  summary: "Show the MCP servers, start one anew, switch one off or on for this session",
  details: "Servers are added, removed and signed in to with `reasonix mcp` in a shell.",
  run: async (argument, context) => {
    const { servers } = context.controller;
    const { first, rest: name } = splitFirst(argument);
    if (first === "add" || first === "remove" || first === "auth") {
      return { kind: "error", text: `In a shell: reasonix mcp ${argument}` };
    }
    if (servers === undefined) return text("No MCP server is configured. In a shell: `reasonix mcp add …`");
    if (first === "") return list(context);
    if (!["show", "reconnect", "enable", "disable"].includes(first)) {
      throw new WrongArgument(`"${first}" is nothing to do`);
    }
    if (name === "") throw new WrongArgument(`${first} needs the name of a server`);
    const view = servers.list().find((server) => server.name === name);
    if (view === undefined) return { kind: "error", text: `There is no MCP server "${name}".` };
    switch (first) {
      case "show":
        return text(describe(view));
      case "reconnect":
        await servers.reconnect(name);
        break;
      default:
        await servers.setEnabled(name, first === "enable");
    }
    const now = servers.list().find((server) => server.name === name) ?? view;
    return done(`${name}: ${stateOf(now)}`);
  },
}];

function list({ controller }: CommandContext): CommandAnswer {
  const views = controller.servers?.list() ?? [];
  const rows = views.map((view) => ({
    label: view.name,
    detail: `${stateOf(view)}  ${view.tools} tools${view.prompts > 0 ? `, ${view.prompts} prompts` : ""}`,
    actions: {
      enter: { label: "show", line: `/mcp show ${view.name}` },
      r: { label: "reconnect", line: `/mcp reconnect ${view.name}` },
      d: view.state === "disabled"
        ? { label: "switch on", line: `/mcp enable ${view.name}` }
        : { label: "switch off", line: `/mcp disable ${view.name}` },
    },
  }));
  return screen("MCP servers", rows, "no MCP servers");
}

function stateOf({ state, reason, stage }: ServerView): string {
  const where = stage && state !== "ready" ? ` (${stage})` : "";
  return `${state.replaceAll("_", " ")}${where}${reason ? `: ${reason}` : ""}`;
}

function describe(view: ServerView): string {
  return [
    `- state: ${stateOf(view)}`,
    `- transport: ${view.transport}`,
    ...(view.identity ? [`- introduced itself as: ${view.identity}`] : []),
    `- tools: ${view.tools}${view.direct ? "" : ", reached through use_capability"}`,
    `- prompts: ${view.prompts}, resources: ${view.resources}`,
    ...(view.startMs === undefined ? [] : [`- last start: ${Math.round(view.startMs)} ms`]),
    ...view.problems.map((problem) => `- left out: ${problem}`),
    ...(view.stderr ? ["", "```", view.stderr.replaceAll("```", "'''"), "```"] : []),
  ].join("\n");
}
