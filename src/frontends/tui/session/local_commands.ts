/** The few commands a session cannot do without, for a controller that brings none of its own. */
import type { CommandAnswer, Commands, CommandView } from "../../../controller/mod.ts";
import type { TuiPorts } from "../ports.ts";
import type { TextKey, Translate } from "../../view/mod.ts";

const NAMES: readonly {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly hint?: string;
  readonly help: TextKey;
}[] = [
  { name: "help", help: "help.help" },
  { name: "new", help: "help.new" },
  { name: "resume", hint: "[SESSION]", help: "help.resume" },
  { name: "model", hint: "[MODEL]", help: "help.model" },
  { name: "effort", hint: "[LEVEL]", help: "help.effort" },
  { name: "status", help: "help.status" },
  { name: "steer", hint: "TEXT", help: "help.steer" },
  { name: "verbose", help: "help.verbose" },
  { name: "cls", help: "help.cls" },
  { name: "quit", aliases: ["exit"], help: "help.quit" },
];

/** Actions of the frontend itself, whoever dispatches. */
const OWN = ["help", "verbose", "cls", "quit", "steer"] as const;

export function createLocalCommands(ports: TuiPorts, t: Translate): Commands {
  const { controller } = ports;

  const resume = async (argument: string): Promise<CommandAnswer> => {
    const [, copy, ref = ""] = /^(--copy\s+)?(.*)$/.exec(argument)!;
    if (ref !== "") return await changed({ kind: "open_session", session: { ref }, copy: copy !== undefined });
    const rows = (await ports.sessions()).map((session) => ({
      label: session.title ?? session.preview,
      detail: `${new Date(session.updatedAt).toLocaleString()}  ${session.id}`,
      ...(session.id === controller.sessionId ? { current: true } : {}),
      actions: {
        enter: { label: t("session.open"), line: `/resume ${session.id}` },
        c: { label: t("session.copy"), line: `/resume --copy ${session.id}` },
      },
    }));
    const screen = { title: t("session.title"), rows, empty: t("session.none") };
    return { kind: "screen", screen, text: rows.map(({ label }) => label).join("\n") };
  };

  const model = async (argument: string): Promise<CommandAnswer> => {
    if (argument !== "") return await changed({ kind: "set_model", model: argument });
    const rows = ports.models.map((ref) => ({
      label: ref,
      ...(ref === controller.model.ref ? { current: true } : {}),
      actions: { enter: { label: t("model.use"), line: `/model ${ref}` } },
    }));
    return { kind: "screen", screen: { title: t("model.title"), rows, empty: "" }, text: ports.models.join("\n") };
  };

  const changed = async (intent: Parameters<typeof controller.send>[0]): Promise<CommandAnswer> => {
    const receipt = controller.send(intent);
    if (!receipt.accepted) return { kind: "error", text: receipt.reason };
    try {
      await receipt.done;
    } catch (error) {
      return { kind: "error", text: error instanceof Error ? error.message : String(error) };
    }
    return intent.kind === "set_model"
      ? { kind: "done", text: t("command.done_model", { model: controller.model.ref }) }
      : { kind: "done" };
  };

  return {
    list: () =>
      NAMES.map(({ name, aliases, hint, help }): CommandView => ({
        name,
        ...(aliases ? { aliases } : {}),
        summary: t(help),
        argumentHint: hint ?? "",
        group: "built_in",
      })),
    run: async (line) => {
      const [, typed = "", argument = ""] = /^\/(\S*)\s*([^]*)$/.exec(line)!;
      const name = NAMES.find((known) => known.name === typed || known.aliases?.includes(typed))?.name;
      if (name === undefined) return { kind: "unknown" };
      const action = OWN.find((own) => own === name);
      if (action) return { kind: "frontend", action, argument: argument.trim() };
      if (name === "new") return await changed({ kind: "open_session", session: "new" });
      if (name === "resume") return await resume(argument.trim());
      if (name === "model") return await model(argument.trim());
      if (name === "effort" && argument.trim() !== "") {
        return await changed({ kind: "set_model", effort: argument.trim() });
      }
      const { ref, contextWindow, effort } = controller.model;
      const facts = [
        `- session: ${controller.sessionId}`,
        `- file: ${controller.sessionPath}`,
        `- model: ${ref}${effort ? ` (${effort})` : ""}, ${contextWindow || "?"} tokens`,
        `- posture: ${t(`posture.${controller.posture}`)}`,
        `- folder: ${ports.root}`,
      ];
      return { kind: "text", text: facts.join("\n") };
    },
  };
}
