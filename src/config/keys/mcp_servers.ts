/** `[[plugins]]`: MCP servers. `[[mcp.servers]]` is the same list under another name. */
import {
  anyTable,
  choice,
  entries,
  flag,
  list,
  maybeText,
  numberMap,
  text,
  textMap,
  unused,
  whole,
} from "../schema.ts";

export const PLUGINS = entries("MCP servers.", {
  name: text("", "Identity; tools are called `mcp__<name>__<tool>`.", { required: true }),
  type: choice(["stdio", "http", "sse"], "stdio", "Transport. Default: `http` for an entry with only a `url`.", {
    aliases: { "streamable-http": "http", "streamable_http": "http", "streamablehttp": "http" },
    strict: true,
  }),
  command: text("", "Program to start (stdio)."),
  args: list([], "Its arguments."),
  env: textMap("Variables set for it."),
  dir: maybeText("Folder it starts in. Default: the workspace."),
  url: text("", "Address (http, sse)."),
  headers: textMap("Headers sent with every request."),
  startup_timeout_seconds: whole(0, "Limit of launch, sign-in and listing. 0: `tools.mcp_startup_timeout_seconds`.", {
    min: 0,
  }),
  call_timeout_seconds: whole(0, "Limit of one call. 0: `tools.mcp_call_timeout_seconds`.", { min: 0 }),
  tool_timeout_seconds: numberMap("Limit of one call by the server's own tool name."),
  concurrency: choice(
    ["", "parallel", "serial"],
    "",
    "Default: `serial` for names that mean a browser, else `parallel`.",
  ),
  enabled: flag(true, "false: known, and neither started nor offered."),
  auto_start: flag(true, "Start with the session; false: at first use."),
  required: flag(false, "A session cannot begin without it: its turns are refused until it is ready."),
  oauth: anyTable("Fixed client id and endpoints, for servers without discovery."),
  tier: unused("inert", "Kept for other programs."),
  trusted_read_only_tools: unused("retired", "Had to do with approvals per tool."),
  default_tools_approval_mode: unused("retired", "Had to do with approvals per tool."),
  tools: unused("retired", "Had to do with approvals per tool."),
  approvals_reviewer: unused("retired", "Had to do with approvals per tool."),
});

export const MCP_SERVERS = entries("The same as `[[plugins]]`.", PLUGINS.fields);
