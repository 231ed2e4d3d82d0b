/** Commands that show: `/version`, `/status`, `/context`, `/cost`, `/todo`, `/sandbox`, `/hooks`. */
import type { ContextBar } from "../command.ts";
import { type BuiltIn, text } from "./built_in.ts";
import type { ModelTotals } from "./session_totals.ts";

export const INFORMATION: readonly BuiltIn[] = [
  {
    name: "version",
    hint: "",
    summary: "Show the version of this program",
    run: (_, { host }) => text(`reasonix ${host.version}`),
  },
  {
    name: "status",
    hint: "",
    summary: "Show session, model, posture, context and cost",
    run: async (_, { controller, runtime, host, totals }) => {
      const { ref, effort } = controller.model;
      const { transcript, agent, jobs: table } = runtime();
      const jobs = table.list().filter(({ status }) => status === "running");
      // Measures a conversation that was just opened or cut.
      await agent.composition();
      const { used, window, trigger } = agent.context;
      const servers = controller.servers?.list() ?? [];
      const ready = servers.filter(({ state }) => state === "ready").length;
      const lines = [
        `- version: ${host.version}`,
        `- session: ${transcript.title ? `${transcript.title} (${controller.sessionId})` : controller.sessionId}`,
        `- file: ${controller.sessionPath}`,
        `- folder: ${host.root}`,
        `- model: ${ref}${effort ? `, effort ${effort}` : ""}`,
        `- posture: ${controller.posture}${controller.mode === "plan" ? ", plan mode" : ""}`,
        ...(controller.preset === "balanced" ? [] : [`- preset: ${controller.preset}`]),
        ...(host.outputStyles.wanted === "" ? [] : [`- output style: ${host.outputStyles.wanted}`]),
        window > 0
          ? `- context: ${count(used)} of ${count(window)} tokens; folds at ${count(trigger)}`
          : `- context: ${count(used)} tokens; the window is not known`,
        `- cost: ${costText([...totals.byModel.values()]) || "nothing yet"}`,
        ...jobs.map(({ id, label }) => `- in the background: ${id} \`${label.replace(/[`\s]+/g, " ").slice(0, 100)}\``),
        ...(servers.length > 0 ? [`- MCP servers: ${ready} of ${servers.length} ready`] : []),
      ];
      return text(`${lines.join("\n")}\n\n${await host.sandbox()}`);
    },
  },
  {
    name: "context",
    hint: "",
    summary: "Show what fills the context window",
    run: async (_, { runtime }) => {
      const { agent } = runtime();
      const parts = await agent.composition();
      const { used, window, trigger } = agent.context;
      const bar: ContextBar = { parts, used, window, trigger, caption: contextCaption({ used, window, trigger }) };
      return { kind: "text", text: contextText(bar), bar };
    },
  },
  {
    name: "cost",
    hint: "",
    summary: "Show tokens, cache hits and cost of this session",
    run: (_, { totals }) => {
      if (totals.byModel.size === 0) return text("No request was sent in this session since it was opened.");
      const rows = [...totals.byModel].map(([model, sum]) => {
        const rate = sum.cacheKnownTokens === 0
          ? "unknown"
          : `${Math.round(100 * sum.cacheHitTokens / sum.cacheKnownTokens)} %`;
        return `| ${model} | ${sum.requests} | ${count(sum.promptTokens)} | ${rate} | ${
          count(sum.completionTokens)
        } | ` +
          `${costText([sum]) || "no price known"} | ${sum.prefixBreaks} |`;
      });
      const head = "| Model | Requests | Input | From cache | Output | Cost | Prefix rewritten |";
      return text([head, "| --- | --- | --- | --- | --- | --- | --- |", ...rows].join("\n"));
    },
  },
  {
    name: "todo",
    aliases: ["todos"],
    hint: "",
    summary: "Show the task list",
    run: (_, { runtime }) => {
      const { items } = runtime().todos;
      if (items.length === 0) return text("There is no task list.");
      const marks = { completed: "[x]", in_progress: "[>]", pending: "[ ]" } as const;
      return text(
        items.map(({ level, status, content }) => `${"  ".repeat(level)}- ${marks[status]} ${content}`).join("\n"),
      );
    },
  },
  {
    name: "sandbox",
    hint: "",
    summary: "Show what stands around commands",
    run: async (_, { host }) => text(await host.sandbox()),
  },
  {
    name: "hooks",
    hint: "",
    summary: "Show the hooks of this folder and which of them run",
    run: async (_, { host }) => text(await host.hooks()),
  },
];

function count(tokens: number): string {
  return tokens < 10_000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}

function costText(sums: readonly ModelTotals[]): string {
  const cost = new Map<string, number>();
  for (const sum of sums) {
    for (const [currency, amount] of Object.entries(sum.cost)) cost.set(currency, (cost.get(currency) ?? 0) + amount);
  }
  const known = [...cost].map(([currency, amount]) => `${amount.toFixed(4)} ${currency}`).join(" + ");
  const unpriced = sums.reduce((all, sum) => all + sum.unpriced, 0);
  return unpriced > 0 && known !== "" ? `${known}, and ${unpriced} answers without a price` : known;
}

const BAR_WIDTH = 50;
const FILL = ["█", "▓", "▒", "░", "▚", "▞", "▤", "▥"];

function contextCaption({ used, window, trigger }: Omit<ContextBar, "parts" | "caption">): string {
  return window > 0
    ? `${count(used)} of ${count(window)} tokens; the older part is folded at ${count(trigger)} (the mark).`
    : `About ${count(used)} tokens; the window of this model is not known.`;
}

/** The bar for those who only show text. */
function contextText({ parts, used, window, trigger, caption }: ContextBar): string {
  const whole = window > 0 ? window : used || 1;
  const share = (tokens: number) => `${(100 * tokens / whole).toFixed(1)} %`;
  const rows = parts.map(({ label, tokens }, at) =>
    `| ${FILL[at % FILL.length]} ${label} | ${count(tokens)} | ${share(tokens)} |`
  );
  if (window <= 0) return [caption, "", ...table(rows)].join("\n");
  let drawn = "";
  let sum = 0;
  for (const [at, { tokens }] of parts.entries()) {
    sum += tokens;
    drawn = drawn.padEnd(Math.min(BAR_WIDTH, Math.round(BAR_WIDTH * sum / whole)), FILL[at % FILL.length]);
  }
  const mark = Math.min(BAR_WIDTH - 1, Math.floor(BAR_WIDTH * trigger / whole));
  const bar = drawn.padEnd(BAR_WIDTH, "·");
  const free = Math.max(0, window - used);
  return [
    `\`${bar.slice(0, mark)}|${bar.slice(mark + 1)}\``,
    "",
    caption,
    "",
    ...table([...rows, `| · free | ${count(free)} | ${share(free)} |`]),
  ].join("\n");
}

function table(rows: readonly string[]): string[] {
  return ["| Part | Tokens | Share |", "| --- | --- | --- |", ...rows];
}
