/** Keys of the terminal, the web page and what people see. */
import {
  choice,
  commaList,
  entries,
  flag,
  list,
  maybeNumber,
  maybeText,
  notYet,
  table,
  text,
  unused,
  whole,
} from "../schema.ts";

export const UI = table("The terminal.", {
  theme: choice(["auto", "light", "dark"], "auto", "Colours."),
  theme_style: text("", "Accent colour by name."),
  shortcut_layout: notYet(choice(["", "classic", "desktop"], "", "Kept for compatibility.")),
  cursor_shape: choice(["bar", "underline", "block"], "bar", "Cursor of the composer."),
  show_turn_usage: flag(true, "Show tokens and cost after each request."),
  show_reasoning: flag(false, "Start with reasoning visible."),
  commandmode: notYet(choice(["", "vi"], "", "`vi` for a vi-style composer.")),
  plain: flag(false, "No colours, boxes or animation; for screen readers and logs."),
  close_behavior: unused("inert", "Belongs to another program."),
});

export const CLI = table("Output of the command line.", {
  diff_fences: flag(false, "Colour diffs in fenced blocks."),
  diff_formatter: notYet(list([], "Program and arguments that format diffs; run without a shell.")),
  update_channel: unused("retired", "Updates are official releases."),
}, "user");

export const NOTIFICATIONS = table("Calls to the terminal: its bell, and a notification where it shows them.", {
  enabled: flag(false, "Call."),
  turn_done: flag(true, "When a turn of more than five seconds has ended."),
  approval_request: flag(true, "When an approval is needed."),
  ask_request: flag(true, "When the model asks something."),
});

export const STATUSLINE = table("The line below the composer.", {
  command: text("", "Shell command whose first line of output takes its place; it gets JSON on its input."),
}, "user");

export const SERVE = table("The web page of `reasonix serve`.", {
  auth_mode: choice(["token", "password", "none"], "token", "How a browser signs in."),
  token: text("", "Fixed token. Empty: a new one at each start.", { secret: true }),
  password_hash: text("", "bcrypt hash of the password.", { secret: true }),
  behind_proxy: flag(false, "Believe `X-Forwarded-*`; only behind a proxy of your own."),
  share_port: maybeNumber("Port used for sharing."),
}, "user");

export const REMOTE = table("Machines reached by SSH.", {
  hosts: entries("One machine each.", {
    name: text("", "Identity.", { required: true }),
    host: text("", "Address or alias."),
    user: maybeText("Login name."),
    port: whole(22, "Port.", { min: 1, max: 65_535, outside: "default" }),
    identity_file: maybeText("Private key."),
    workspace: maybeText("Folder to work in."),
    serve_install: choice(["auto", "npm", "upload", "never"], "auto", "How the program gets there."),
    provider: choice(["local", "remote"], "local", "Which side talks to the model."),
    passphrase_env: maybeText("Name of the variable with the key's passphrase."),
    password_env: maybeText("Name of the variable with the password."),
    use_ssh_config: flag(false, "Take what is missing from `~/.ssh/config`."),
    jump: maybeText("Host to go through."),
    forwards: entries("Ports to forward.", {
      type: choice(["local", "remote"], "local", "Direction."),
      bind: text("", "Address that listens."),
      target: text("", "Address that answers."),
    }),
  }),
}, "user");

export const NETWORK = table("How providers are reached.", {
  proxy_mode: choice(["auto", "env", "custom", "off"], "auto", "`auto` and `env` take the proxy of the environment.", {
    loosens: (project, below) => project !== below,
  }),
  proxy_url: text("", "Proxy, for `custom`.", { loosens: (project, below) => project !== below }),
  no_proxy: commaList([], "Hosts reached directly, for `custom`.", {
    loosens: (project, below) => project.some((host) => !below.includes(host)),
  }),
  proxy: table("The proxy in parts, for `custom` without `proxy_url`.", {
    type: choice(["http", "https", "socks5", "socks5h"], "socks5", "Protocol."),
    server: text("", "Host.", { loosens: (project, below) => project !== below }),
    port: whole(0, "Port.", { min: 0, max: 65_535, outside: "default" }),
    username: text("", "Login name."),
    password: text("", "Password; `${VAR}` is expanded.", {
      secret: true,
      loosens: (project, below) => project !== below,
    }),
  }),
});
