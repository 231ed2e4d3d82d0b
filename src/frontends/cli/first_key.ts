/**
 * A start that lacks a key, or the person's word for where a key may go, is no dead end at a terminal: the question is
 * asked once, and the answer kept where it belongs.
 */
import { inspectProject } from "../../assembly/mod.ts";
import { confirmKey, defaultModel, KeyNotConfirmed, resolveModel, saveKeys } from "../../config/mod.ts";
import { ReasonixError } from "../../contract/errors.ts";
import { toLine, toTerminal } from "../../lib/terminal_text.ts";
import type { Streams } from "./output/output.ts";
import { hiddenLine, yesOrNo } from "./terminal_input.ts";

export interface KeyRequest {
  readonly directory?: string;
  readonly model?: string;
}

/** Runs `open`; what a key question stopped is tried once more after the answer. Throws what stands in the way. */
export async function offerKey<T>(streams: Streams, request: KeyRequest, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const settled = error instanceof KeyNotConfirmed
      ? await askConfirmation(error, streams)
      : error instanceof ReasonixError && error.code === "config.missing_key"
      ? await askKey(error, streams, request)
      : false;
    if (!settled) throw error;
    return await open();
  }
}

async function askKey(error: ReasonixError, streams: Streams, { directory, model }: KeyRequest): Promise<boolean> {
  const { paths, loaded: { config } } = await inspectProject({ directory });
  const { provider } = model === undefined ? defaultModel(config) : resolveModel(config, model);
  const name = provider.apiKeyEnv;
  streams.err.line(toTerminal(error.message));
  streams.err.line("`reasonix setup` sets up any other provider.");
  streams.err.line("`reasonix demo` shows a whole task without any key.");
  const key = await hiddenLine(`Paste ${toLine(name)} (it is not shown), or Enter to leave:`, streams.err);
  if (key === "") return false;
  await Deno.mkdir(paths.home, { recursive: true });
  await saveKeys(paths.envFile, { [name]: key });
  streams.err.line(`Kept in ${paths.envFile}.`);
  return true;
}

async function askConfirmation({ question }: KeyNotConfirmed, streams: Streams): Promise<boolean> {
  const { provider, key, origin } = question;
  streams.err.line(`This project sends ${toLine(key)} to ${toLine(origin)} (provider "${toLine(provider)}").`);
  if (!await yesOrNo("Allow that from now on?", streams)) return false;
  const { paths } = await inspectProject();
  await Deno.mkdir(paths.home, { recursive: true });
  await confirmKey(paths.confirmedKeys, { key, origin });
  return true;
}
