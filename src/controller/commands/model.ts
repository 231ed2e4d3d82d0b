/** Commands about who answers and what may happen unasked: `/model`, `/effort`, `/max-output`, `/preset`, `/permissions`, `/plan`. */
import type { Posture, WorkPreset } from "../../contract/decision.ts";
import { type BuiltIn, change, choice, type CommandContext, done, WrongArgument } from "./built_in.ts";

export const MODEL: readonly BuiltIn[] = [
  {
    name: "model",
    hint: "[MODEL]",
    summary: "Show or change the model",
    details: "MODEL is `provider/model`, a provider, or a model. It holds for this session; the conversation goes on.",
    run: (model, context) => {
      if (model !== "") return change(context, { kind: "set_model", model }, () => done(modelLine(context)));
      const { models } = context.host;
      return choice(models.map((ref) => ({ value: ref, current: ref === context.controller.model.ref })), {
        title: "Model",
        command: "model",
        empty: "no model is configured; `reasonix setup` adds one",
      });
    },
  },
  {
    name: "effort",
    hint: "[LEVEL]",
    summary: "Show or change how much the model thinks",
    details: "LEVEL is a word the provider knows; `auto` leaves it to the provider.",
    run: (level, context) => {
      const now = context.controller.model.effort ?? "auto";
      if (level !== "") return change(context, { kind: "set_model", effort: level }, () => done(modelLine(context)));
      const known = LEVELS.includes(now) ? LEVELS : [...LEVELS, now];
      return choice(known.map((value) => ({ value, current: value === now })), { title: "Effort", command: "effort" });
    },
  },
  {
    name: "max-output",
    hint: "[auto|TOKENS|none]",
    summary: "Show or change how long an answer of this session may be",
    details:
      "TOKENS is the ceiling of one answer. `auto`: as the settings say (`max_output_tokens`), by themselves what " +
      "suits the model. `none`: the limit is left out where the protocol allows that. What is paid is what is written; " +
      "folding does not depend on it.",
    run: (word, context) => {
      const now = context.controller.model.maxOutputTokens ?? 0;
      if (word === "") {
        const known = OUTPUT_LIMITS.some(({ tokens }) => tokens === now)
          ? OUTPUT_LIMITS
          : [...OUTPUT_LIMITS, { value: String(now), tokens: now, detail: "chosen for this session" }];
        return choice(known.map(({ value, tokens, detail }) => ({ value, detail, current: tokens === now })), {
          title: "Longest answer, in tokens",
          command: "max-output",
        });
      }
      const named = OUTPUT_LIMITS.find(({ value }) => value === word)?.tokens;
      if (named === undefined && !/^[1-9]\d{0,8}$/.test(word)) {
        throw new WrongArgument(`"${word}" is neither auto, none nor a number of tokens`);
      }
      const wish = { kind: "set_model", maxOutputTokens: named ?? Number(word) } as const;
      return change(context, wish, () => done(`Longest answer: ${word}`));
    },
  },
  {
    name: "preset",
    aliases: ["work-mode", "profile"],
    hint: "[balanced|delivery]",
    summary: "Show or change how far a turn is carried: as asked, or to a checked end",
    details:
      "With `delivery` each message tells the model to carry the work to a checked end. When it would stop and " +
      "nothing was run after the last change, or the last check failed, it is sent back once; what is still unchecked " +
      "then is told. A second model that plans first belongs to it as well and is not built yet. It holds for this " +
      "run of the program; `--preset` sets it from the start.",
    run: (word, context) => {
      const now = context.controller.preset;
      if (word === "") {
        return choice(PRESETS.map(({ value, detail }) => ({ value, detail, current: value === now })), {
          title: "Preset",
          command: "preset",
        });
      }
      const wanted = presetNamed(word);
      if (wanted === undefined) throw new WrongArgument(`"${word}" is no preset`);
      return change(context, { kind: "set_preset", preset: wanted }, () => done(`Preset: ${wanted}`));
    },
  },
  {
    name: "permissions",
    aliases: ["posture"],
    hint: "[POSTURE]",
    summary: "Show or change what happens without a question",
    run: (word, context) => {
      const { posture } = context.controller;
      if (word === "") {
        return choice(
          POSTURES.map(({ name, posture: value, help }) => ({ value: name, detail: help, current: value === posture })),
          { title: "Posture", command: "permissions" },
        );
      }
      const wanted = POSTURES.find(({ name, posture: value }) =>
        name.toLowerCase() === word.toLowerCase() || value === word
      );
      if (!wanted) throw new WrongArgument(`"${word}" is no posture`);
      return change(context, { kind: "set_posture", posture: wanted.posture }, () => done(`Posture: ${wanted.name}`));
    },
  },
  {
    name: "plan",
    hint: "[on|off]",
    summary: "Turn plan mode on or off",
    details: "In plan mode the model looks around and submits a plan; nothing is carried out before you say so.",
    run: (word, context) => {
      if (!["", "on", "off"].includes(word)) throw new WrongArgument(`"${word}" is neither on nor off`);
      const isOn = word === "" ? context.controller.mode !== "plan" : word === "on";
      return change(
        context,
        { kind: "set_mode", mode: isOn ? "plan" : "normal" },
        () => done(isOn ? "Plan mode is on." : "Plan mode is off."),
      );
    },
  },
];

const LEVELS: readonly string[] = ["auto", "low", "medium", "high", "max"];

/** `max_output_tokens` as people choose it. */
const OUTPUT_LIMITS = [
  { value: "auto", tokens: 0, detail: "as the settings say" },
  { value: "32768", tokens: 32_768, detail: "ordinary coding, cost under control" },
  { value: "65536", tokens: 65_536, detail: "heavy reasoning, long loops of tools" },
  { value: "131072", tokens: 131_072, detail: "after answers were cut again and again" },
  { value: "none", tokens: -1, detail: "left out where the protocol allows that" },
];

const PRESETS: readonly { readonly value: WorkPreset; readonly detail: string }[] = [
  { value: "balanced", detail: "works as it is asked to" },
  { value: "delivery", detail: "carries work to a checked end, and says what stayed unchecked" },
];

/** Also by the names it once had. */
function presetNamed(word: string): WorkPreset | undefined {
  const name = word.toLowerCase();
  if (name === "light" || name === "economy") return "balanced";
  return PRESETS.find(({ value }) => value === name)?.value;
}

const POSTURES: readonly { readonly name: string; readonly posture: Posture; readonly help: string }[] = [
  { name: "ask", posture: "ask", help: "asks before it writes or runs" },
  { name: "auto", posture: "auto", help: "writes and runs unasked; ask rules still ask" },
  { name: "acceptEdits", posture: "accept_edits", help: "edits unasked, asks before it runs" },
  { name: "dontAsk", posture: "dont_ask", help: "refuses what is not allowed already" },
  { name: "read-only", posture: "read_only", help: "refuses everything that is not a read" },
  { name: "yolo", posture: "yolo", help: "asks nothing; deny rules still hold" },
];

function modelLine({ controller }: CommandContext): string {
  const { ref, effort } = controller.model;
  return `Model: ${ref}${effort ? `, effort ${effort}` : ""}`;
}
