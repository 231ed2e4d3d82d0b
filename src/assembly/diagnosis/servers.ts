/** MCP servers: whether each can work as declared, and, when they are to be started, how far its start comes. */
import type { ServerView } from "../../contract/servers.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { checkServers as startServers, standingOf } from "../server_tasks.ts";
import { type Check, failed, ok, skipped, warning } from "./check.ts";

/** Longest wait for one start. Milliseconds. */
const START_LIMIT = 5_000;

/** `live` starts each server once and ends it again; without it nothing is started. */
export async function checkServers(project: InspectedProject, live: boolean): Promise<Check[]> {
  const { plugins } = project.loaded.config;
  if (plugins.length === 0) return [skipped("mcp", "no servers")];
  if (live) return (await startServers(project, { limitMs: START_LIMIT })).map(toCheck);
  return await Promise.all(plugins.map(async ({ name, enabled, source }) => {
    if (!enabled) return skipped(nameOf(name), "switched off");
    const problem = (await standingOf(project, name))?.problem;
    return problem === undefined
      ? ok(nameOf(name), "declared; `reasonix doctor --live` starts it once")
      : failed(nameOf(name), problem, `Correct ${source.file}.`);
  }));
}

const nameOf = (server: string) => `mcp.${server}`;

function toCheck({ name, state, stage, startMs = 0, reason, tools, prompts, resources }: ServerView): Check {
  const took = `${(startMs / 1000).toFixed(1)} s`;
  switch (state) {
    case "ready":
      return ok(nameOf(name), `ready in ${took}: ${tools} tools, ${prompts} prompts, ${resources} resources`);
    case "disabled":
      return skipped(nameOf(name), "switched off");
    case "needs_sign_in":
      return warning(nameOf(name), "wants a sign-in", `reasonix mcp auth ${name}`);
    default:
      return failed(
        nameOf(name),
        `did not start: ${stage ?? "launch"} failed after ${took}${reason ? `: ${reason}` : ""}`,
        `reasonix mcp retry ${name} starts it again and shows its last words.`,
      );
  }
}
