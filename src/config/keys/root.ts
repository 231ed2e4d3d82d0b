/** The whole table of settings. A key that is not here is unknown: warned about, and kept in the file. */
import { anyTable, choice, flag, list, maybeText, notYet, table, text, unused, whole } from "../schema.ts";
import { AGENT } from "./agent.ts";
import { lowers, turnsOn } from "./loosening.ts";
import { CLI, NETWORK, NOTIFICATIONS, REMOTE, SERVE, STATUSLINE, UI } from "./interface.ts";
import { MCP_SERVERS, PLUGINS } from "./mcp_servers.ts";
import { PROVIDERS } from "./providers.ts";
import { PERMISSIONS, SANDBOX, SECRETS, SECURITY } from "./safety.ts";
import { BROWSER, ENVIRONMENT, LSP, SKILLS, TOOLS } from "./tools.ts";

const CONFIG_VERSION = 10;

export const ROOT = table("Settings of Reasonix.", {
  config_version: whole(CONFIG_VERSION, "Version of the file's form.", { min: 0 }),
  default_model: text("deepseek-flash", "Model to use: a provider, `provider/model`, or a model."),
  language: text("", "Language of the interface. Empty: `REASONIX_LANG`, then `LANG`."),
  auto_submit: notYet(flag(false, "Send an accepted suggestion at once.", { scope: "user" })),
  credentials_store: unused("inert", "Keys are kept in `<home>/.env`."),
  providers: PROVIDERS,
  agent: AGENT,
  permissions: PERMISSIONS,
  sandbox: SANDBOX,
  security: SECURITY,
  secrets: SECRETS,
  tools: TOOLS,
  plugins: PLUGINS,
  mcp: table("Another place for MCP servers.", { servers: MCP_SERVERS }),
  skills: SKILLS,
  memory: table("Facts kept between sessions.", {
    pinned_budget_chars: whole(1500, "Room for pinned facts.", { min: 0 }),
    recall_limit: whole(4, "Facts recalled for a turn.", { min: 0 }),
    recall_max_chars: whole(2400, "Room for them.", { min: 0 }),
    auto_confirm_project_remember: flag(true, "Let the model add a project fact without a question.", turnsOn),
  }),
  checkpoints: table("Snapshots that `rewind` goes back to.", {
    retain_turns: whole(100, "Turns kept.", { min: 1, outside: "default", ...lowers }),
    blob_quota_bytes: whole(1_073_741_824, "Room for file contents, in bytes.", {
      min: 1,
      outside: "default",
      ...lowers,
    }),
  }),
  environment: ENVIRONMENT,
  network: NETWORK,
  lsp: notYet(LSP),
  browser: notYet(BROWSER),
  ui: UI,
  cli: CLI,
  notifications: NOTIFICATIONS,
  statusline: STATUSLINE,
  billing: table("Money.", {
    display_currency: choice(["auto", "CNY", "USD"], "auto", "Currency costs are shown in.", { scope: "user" }),
    show_balance: flag(false, "Show the account's balance in the status row."),
  }),
  telemetry: notYet(table("Anonymous counts.", {
    cli_metrics: choice(["auto", "on", "off"], "auto", "Whether they are sent."),
  }, "user")),
  serve: notYet(SERVE),
  remote: notYet(REMOTE),
  desktop: notYet(table("Settings of the desktop program that matter here.", {
    provider_access: list([], "Providers offered there."),
    language: maybeText("Language there.", { scope: "user" }),
    currency: maybeText("Currency there.", { scope: "user" }),
  })),
  bot: unused("inert", "Kept as written; the bot no longer exists."),
  progress_watch: unused("inert", "Kept as written."),
  storage: anyTable("Kept as written.", { scope: "user", secret: true }),
});
