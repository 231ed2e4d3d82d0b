/**
 * The session as a conversation of lines: `[ui] plain = true`. The terminal stays in its ordinary mode, so that its own
 * line editing, and whatever reads the screen aloud, work as everywhere.
 */
import type { CommandAnswer, Receipt } from "../../../controller/mod.ts";
import { EndSignals, signalExitCode } from "../../../lib/end_signals.ts";
import { createTranslate, type OpenQuestion } from "../../view/mod.ts";
import type { TuiEnd, TuiPorts } from "../ports.ts";
import { helpText } from "../session/help_text.ts";
import { spokenCommands } from "../session/spoken_commands.ts";
import { LineInput } from "./line_input.ts";
import { PlainPrinter } from "./plain_printer.ts";
import { askPlainly } from "./plain_questions.ts";

export async function runPlain(ports: TuiPorts): Promise<TuiEnd> {
  const { controller, settings } = ports;
  const t = createTranslate(settings.language);
  const encoder = new TextEncoder();
  const write = (text: string) => {
    const bytes = encoder.encode(text);
    for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
  };
  const printer = new PlainPrinter(write, t, settings);
  const input = new LineInput(Deno.stdin.readable);
  const commands = spokenCommands(controller.commands, () => t);
  let exitCode = 0;
  const questions: OpenQuestion[] = [];
  const settled = (id: string) => {
    const at = questions.findIndex(({ request }) => request.id === id);
    if (at >= 0) questions.splice(at, 1);
    input.cancel(id);
  };
  const unsubscribe = controller.subscribe((event) => {
    printer.print(event);
    if (event.kind === "approval_request") questions.push({ kind: "approval", request: event.approval });
    if (event.kind === "ask_request") questions.push({ kind: "ask", request: event.ask });
    if (event.kind === "plan_request") questions.push({ kind: "plan", request: event.plan });
    if (event.kind === "approval_settled" || event.kind === "ask_settled" || event.kind === "plan_settled") {
      settled(event.id);
    }
    if (event.kind.endsWith("_request")) input.wake();
  });
  const interrupt = () => {
    if (!controller.send({ kind: "cancel" }).accepted) input.end();
  };
  using _signals = new EndSignals((name) => {
    if (name === "SIGINT") return interrupt();
    exitCode = signalExitCode(name);
    input.end();
  });

  const show = (line: string, answer: CommandAnswer): void => {
    switch (answer.kind) {
      case "text":
      case "error":
      case "screen":
      case "skills":
        return printer.line(answer.text);
      case "done":
        return answer.text ? printer.line(answer.text) : undefined;
      case "prompt":
        return send(answer.text);
      case "frontend":
        if (answer.action === "quit") input.end();
        else if (answer.action === "help") printer.line(helpText(commands, t));
        else if (answer.action === "steer") taken(controller.send({ kind: "steer", text: answer.argument }));
        else if (answer.text) printer.line(answer.text);
        else printer.line(t("command.missing", { name: line.split(/\s/, 1)[0]! }));
        return;
      case "unknown":
        printer.line(t("command.unknown", { name: line.split(/\s/, 1)[0]! }));
        return send(line);
    }
  };
  const send = (text: string): void => taken(controller.send({ kind: "prompt", text }));
  const taken = (receipt: Receipt): void => {
    if (!receipt.accepted) return printer.line(receipt.reason);
    if (receipt.queued !== undefined) printer.line(t("queue.taken", { count: controller.inbox.items.length }));
    receipt.turn?.catch((error) => printer.line(String(error)));
  };

  try {
    printer.line(t("start.welcome", { version: ports.version, folder: ports.root }));
    for (const notice of controller.notices) printer.line(notice);
    const { items, paused } = controller.inbox;
    if (paused) printer.line(t("queue.paused", { count: items.length, why: t(`queue.why_${paused}`) }));
    printer.line(t("plain.ready"));
    if (ports.confirmYolo) {
      printer.line(`${t("yolo.title")} ${t("yolo.text")} [y/N]`);
      if (/^y/i.test(await input.answer("yolo") ?? "")) await ports.confirmYolo();
      else controller.send({ kind: "set_posture", posture: "ask" });
    }
    if (ports.firstCommand) show(ports.firstCommand, await commands.run(ports.firstCommand));
    for (;;) {
      const question = questions[0];
      if (question) {
        const intent = await askPlainly(question, { t, line: (text) => printer.line(text), input });
        if (intent) controller.send(intent);
        settled(question.request.id);
        continue;
      }
      const line = await input.next("prompt");
      if (line === undefined) break;
      if (line === "" || questions.length > 0) continue;
      if (line.trim() === "exit") break;
      if (/^\/[\p{L}_]/u.test(line)) show(line, await commands.run(line));
      else send(line);
    }
  } finally {
    unsubscribe();
    await controller.close();
    await input.close();
  }
  const used = controller.messages.length > 0;
  return {
    exitCode,
    lines: used ? [t("leave.resume", { command: ports.resumeCommand(controller.sessionId) })] : [],
  };
}
