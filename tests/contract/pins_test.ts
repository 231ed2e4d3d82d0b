/**
 * What programs outside rely on, frozen as literals. A red test here asks: was this meant? If so, change the literal,
 * its line in docs/EVENTS.md and the changelog together.
 */
import assert from "node:assert/strict";
import { COMMANDS } from "../../src/frontends/cli/commands.ts";
import { EXIT } from "../../src/frontends/cli/exit_codes.ts";

const read = (path: string) => Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));

/** The string literals of a union type, in the order of the source. */
function unionOf(source: string, type: string): string[] {
  const body = new RegExp(`export type ${type} =([^;]*);`).exec(source)?.[1] ?? "";
  return [...body.matchAll(/"([^"]+)"/g)].map((found) => found[1]!);
}

/** First cells of the table under a heading. */
function tableUnder(document: string, heading: string): string[] {
  const section = document.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `?([\w.]+)`?\s+\|/gm)].map((found) => found[1]!).slice(1);
}

const events = read("docs/EVENTS.md");
const errors = read("src/contract/errors.ts");

const pins: [what: string, heading: string, actual: string[], pinned: string[]][] = [
  [
    "event kinds",
    "Events",
    [...read("src/contract/event.ts").matchAll(/readonly kind: "(\w+)"/g)].map((found) => found[1]!),
    [
      "session_opened",
      "model_changed",
      "posture_changed",
      "turn_status",
      "user_message",
      "turn_started",
      "turn_phase",
      "stream_attempt",
      "retrying",
      "reasoning",
      "text",
      "tool_dispatch",
      "tool_started",
      "tool_progress",
      "tool_result",
      "usage",
      "message",
      "notice",
      "compaction_started",
      "compaction_progress",
      "compaction_done",
      "compaction_telemetry",
      "approval_request",
      "approval_settled",
      "ask_request",
      "ask_settled",
      "plan_request",
      "plan_settled",
      "mode_changed",
      "preset_changed",
      "rewound",
      "balance",
      "inbox_changed",
      "job_started",
      "job_ended",
      "turn_done",
    ],
  ],
  [
    "error codes",
    "Error codes",
    unionOf(errors, "ErrorCode"),
    [
      "config.syntax",
      "config.type",
      "config.unreadable",
      "config.unsafe_key",
      "config.unknown_model",
      "config.unknown_kind",
      "config.missing_key",
      "config.key_not_confirmed",
      "config.provider_not_trusted",
      "config.write_failed",
      "cli.usage",
      "workspace.unusable",
      "workspace.missing_dir",
      "provider.auth",
      "provider.quota",
      "provider.rate_limited",
      "provider.rejected",
      "provider.transient",
      "provider.interrupted",
      "provider.stalled",
      "provider.empty",
      "provider.bad_response",
      "provider.output_limit",
      "provider.unreachable",
      "provider.tls",
      "provider.proxy",
      "provider.invalid_call",
      "provider.unsupported_effort",
      "provider.unknown_reasoning",
      "context.exhausted",
      "context.fold_rejected",
      "session.locked",
      "session.not_found",
      "session.ambiguous",
      "session.unreadable",
      "session.write_failed",
      "inbox.full",
      "inbox.too_large",
      "rewind.no_turn",
      "rewind.stale",
      "rewind.failed",
      "rewind.nothing_to_undo",
      "turn.cancelled",
      "turn.refused",
      "turn.max_steps",
      "turn.budget",
      "turn.repeats",
      "turn.empty_answer",
      "turn.needs_approval",
      "internal.bug",
    ],
  ],
  [
    "refusal codes",
    "Refusal codes",
    unionOf(errors, "RefusalCode"),
    [
      "permission.deny_rule",
      "permission.declined",
      "permission.unattended",
      "permission.untrusted_folder",
      "permission.read_only",
      "permission.parked",
      "plan.mode_active",
      "workspace.write_outside_scope",
      "sandbox.unavailable",
      "sandbox.git_metadata_protected",
      "sandbox.git_metadata_linked",
      "hook.blocked",
    ],
  ],
  [
    "notice codes",
    "Notice codes",
    unionOf(read("src/config/findings.ts"), "NoticeCode"),
    [
      "config.unknown_key",
      "config.adjusted",
      "config.retired",
      "config.not_yet",
      "config.user_only",
      "config.untrusted",
      "config.shadowed_provider",
      "config.default_model",
      "config.mcp_json",
      "config.project_env",
      "config.migrated",
    ],
  ],
  [
    "codes of hooks",
    "Codes of hooks",
    unionOf(read("src/extensions/hooks/hook.ts"), "HookCode"),
    ["hook.failed", "hook.malformed_settings", "hook.unknown_event", "hook.invalid_matcher", "hook.missing_command"],
  ],
  [
    "codes of capabilities",
    "Codes of capabilities",
    unionOf(read("src/assembly/diagnosis/capability_issue.ts"), "CapabilityCode"),
    [
      "skill.read_failed",
      "skill.shadowed",
      "skill.disabled",
      "skill.missing_description",
      "skill.tool_reference_unknown",
      "skill.tool_reference_invalid",
      "skill.tool_reference_ambiguous",
      "skill.tool_reference_unverified",
      "skill.mcp_dependency_missing",
      "skill.mcp_dependency_failed",
      "command.read_failed",
      "command.shadowed",
      "mcp.missing_command",
      "mcp.command_not_found",
      "mcp.missing_url",
      "mcp.invalid_transport",
      "mcp.start_failed",
      "mcp.no_tools",
      "mcp.runtime_unavailable",
      "instructions.not_read",
    ],
  ],
];

for (const [what, heading, actual, pinned] of pins) {
  Deno.test(`the ${what} are the pinned ones`, () => assert.deepEqual(actual, pinned));
  Deno.test(`docs/EVENTS.md has one line for each of the ${what}`, () => {
    assert.deepEqual(tableUnder(events, heading), actual);
  });
}

Deno.test("the exit codes are the pinned ones, each with a line in docs/EVENTS.md", () => {
  assert.deepEqual(EXIT, { success: 0, failure: 1, usage: 2, unverified: 3, refused: 4 });
  assert.deepEqual(tableUnder(events, "Exit codes"), Object.values(EXIT).map(String));
});

/** Command with its aliases -> every spelling it accepts; `=` where a value follows. */
const FLAGS = {
  "tui": "--model= --preset= --profile= --effort= --max-steps= --dir= --add-dir= --continue/-c --copy " +
    "--allowed-tools/--allowedTools= --permission-mode= --yolo/--dangerously-skip-permissions --resume/-r= --inline",
  "run": "--model= --preset= --profile= --effort= --max-steps= --dir= --add-dir= --continue/-c --copy " +
    "--allowed-tools/--allowedTools= --permission-mode= --yolo/--dangerously-skip-permissions --auto/-y --print/-p " +
    "--resume/-r= --takeover --output-format= --events-jsonl --json --fail-on-unverified --show-thinking --debug " +
    "--metrics= --trajectory= --ablate=",
  "demo": "--keep",
  "setup": "--local",
  "config": "--dir= --json --local",
  "doctor": "--dir= --json --offline --live --root= --timeout=",
  "mcp": "--dir= --json",
  "trust": "--dir= --revoke --yes --key= --origin=",
  "hook/hooks": "--dir= --json --project-root= --home-dir=",
  "session": "--json --dir= --project-root=",
  "sessions": "--dir= --json",
  "cache": "--json --dir= --project-root=",
  "report": "",
  "upgrade/update": "--check --force --channel=",
  "version": "--verbose --json",
  "completion": "",
  "help": "",
};

Deno.test("the commands and their flags are the pinned ones", () => {
  const spelled = COMMANDS.filter((command) => !command.hidden).map((command) => {
    const flags = command.flags.map((flag) => {
      const names = [flag.name, ...flag.aliases ?? []].map((name) => `--${name}`);
      return [...names, ...(flag.short ? [`-${flag.short}`] : [])].join("/") + (flag.takes === "nothing" ? "" : "=");
    });
    return [[command.name, ...command.aliases ?? []].join("/"), flags.join(" ")];
  });
  assert.deepEqual(Object.fromEntries(spelled), FLAGS);
});
