/** `[permissions]`, `[sandbox]`, `[security]`, `[secrets]`. What loosens safety in a project file waits for trust. */
import { choice, flag, list, notYet, table, text } from "../schema.ts";
import { addsTo, both, forbidding, turnsOn } from "./loosening.ts";

const RANK = { deny: 0, ask: 1, allow: 2 };

export const PERMISSIONS = table("Which calls run without a question. Rules look like `Bash(go test:*)`.", {
  mode: choice(["ask", "allow", "deny"], "ask", "What happens to a call that changes something and no rule names.", {
    strict: true,
    loosens: (project, below) => RANK[project] > RANK[below],
  }),
  allow: list([], "Rules for calls that are never asked about. A project list replaces the user's.", {
    loosens: addsTo,
  }),
  ask: list([], "Rules for calls that are always asked about. User and project lists add up.", { merge: both }),
  deny: list([], "Rules for calls that never run. User and project lists add up.", { merge: both }),
  allow_dynamic_bash: flag(
    false,
    "Let an allowing fallback cover shell commands that otherwise need a person.",
    turnsOn,
  ),
});

export const SANDBOX = table("What commands and file tools can reach.", {
  workspace_root: text("", "Folder that file tools may write to. Empty: the workspace.", {
    // A folder of the repository may be a link to anywhere, so no other root is plainly a narrower one.
    loosens: (project, below) => project !== below,
  }),
  allow_write: list([], "More folders that may be written to.", { loosens: addsTo }),
  forbid_read: list(
    [],
    "Files and folders that cannot be read: absolute, or with `${VAR}`; `~` is not expanded.",
    forbidding,
  ),
  bash: choice(
    ["enforce", "off"],
    "enforce",
    "Run shell commands inside the system's sandbox. Always off on Windows.",
    {
      strict: true,
      loosens: (project, below) => project === "off" && below !== "off",
    },
  ),
  network: flag(true, "Let sandboxed commands reach the network.", turnsOn),
  host_authorities: list(["ssh_agent"], "Sockets of the host that stay usable inside the sandbox.", { scope: "user" }),
  allowed_domains: list(
    [],
    "Hosts that commands may reach; empty: all. A project list counts only without a user list.",
    {
      merge: (below, above) => below.length > 0 ? below : above,
    },
  ),
  denied_domains: list([], "Hosts that commands may not reach. A project list only adds.", { merge: both }),
});

export const SECURITY = table("How far the files of a folder are believed.", {
  project_servers: choice(
    ["always", "trusted"],
    "always",
    'MCP servers that a folder declares start "always" where nobody has answered for it, or only once it is "trusted".',
    { strict: true },
  ),
}, "user");

export const SECRETS = table("Guards around secrets.", {
  filter_subprocess_env: flag(false, "Keep variables that look like secrets out of commands, hooks and servers."),
  protect_sensitive_files: notYet(flag(false, "Refuse to read files that look like secrets."), "guard"),
  protect_credential_files: flag(true, "Hide the credential files of Reasonix itself."),
}, "user");
