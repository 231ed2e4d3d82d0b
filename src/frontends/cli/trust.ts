/**
 * `reasonix trust`: shows what a folder would run and loosen, and keeps the person's answer. With `--key` it keeps the
 * word that a saved key may go to an address that a project named.
 */
import { answerFolder, type FolderInquiry, forgetAnswer, inquireFolder, inspectProject } from "../../assembly/mod.ts";
import { confirmKey, isPrivateHost, revokeKey } from "../../config/mod.ts";
import { ReasonixError } from "../../contract/errors.ts";
import { toLine } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { type ParsedFlags, textOf, UsageError } from "./flags.ts";
import type { Streams } from "./output/output.ts";
import { trustReport } from "./output/trust_report.ts";
import { somebodyThere, yesOrNo } from "./terminal_input.ts";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  if (parsed.words.length > 0) {
    throw new UsageError(`trust takes no words; to name the folder: reasonix trust --dir ${parsed.words[0]}`);
  }
  const options = toOptions(parsed);
  if (options.key !== undefined || options.origin !== undefined) return await trustKey(options, streams);
  const inquiry = await inquireFolder(options);
  if (options.revoke) {
    const known = await forgetAnswer(inquiry);
    const folder = toLine(inquiry.root, 1000);
    streams.out.line(known ? `${folder} is no longer trusted` : `${folder} was not trusted`);
    return EXIT.success;
  }
  return await trustFolder(inquiry, options, streams);
}

/**
 * At a terminal, before a session: asked once for each folder and each change of what it asks for. Whatever the answer,
 * the session goes on.
 */
export async function offerTrust(streams: Streams, directory: string | undefined): Promise<void> {
  const inquiry = await inquireFolder({ directory });
  const { state, demands, untrustable, problems } = inquiry;
  const open = state === "changed" || (state === "new" && demands.length > 0);
  if (!open || untrustable !== undefined || problems.length > 0) return;
  for (const line of trustReport(inquiry)) streams.err.line(line);
  const yes = await yesOrNo(state === "changed" ? "Agree to this?" : "Trust this folder?", streams);
  // A no to a change leaves in force what was agreed to before.
  if (yes) await answerFolder(inquiry, "trusted");
  else if (state === "new") await answerFolder(inquiry, "declined");
}

interface TrustOptions {
  readonly directory?: string;
  readonly revoke: boolean;
  readonly yes: boolean;
  readonly key?: string;
  readonly origin?: string;
}

function toOptions(parsed: ParsedFlags): TrustOptions {
  return {
    directory: textOf(parsed, "dir"),
    revoke: parsed.values.has("revoke"),
    yes: parsed.values.has("yes"),
    key: textOf(parsed, "key"),
    origin: textOf(parsed, "origin"),
  };
}

async function trustFolder(inquiry: FolderInquiry, { yes }: TrustOptions, streams: Streams): Promise<number> {
  const { root, state, untrustable, problems } = inquiry;
  if (untrustable !== undefined) {
    throw new ReasonixError("workspace.unusable", `${root} cannot be trusted: ${untrustable}`, {
      remedy: "Trust the single project folders below it.",
    });
  }
  for (const line of trustReport(inquiry)) streams.out.line(line);
  if (problems.length > 0) {
    throw new ReasonixError(
      "config.unreadable",
      "what this folder asks for cannot be shown, so it cannot be agreed to",
      {
        remedy: "Mend the files named above, then try again.",
      },
    );
  }
  if (state === "trusted") {
    // What is gone is forgotten, so that it asks again should it come back.
    await answerFolder(inquiry, "trusted");
    streams.out.line("It is trusted.");
    return EXIT.success;
  }
  if (!yes && !somebodyThere()) {
    throw new UsageError(
      inquiry.demands.length === 0
        ? "nobody is there to ask: add --yes to trust it as it is"
        : "nobody is there to ask: read the list above, then add --yes to agree to exactly that",
    );
  }
  if (!yes && !await yesOrNo(state === "changed" ? "Agree to this?" : "Trust this folder?", streams)) {
    streams.out.line("Nothing was changed.");
    return EXIT.failure;
  }
  await answerFolder(inquiry, "trusted");
  streams.out.line("It is trusted.");
  return EXIT.success;
}

async function trustKey({ key, origin, revoke, directory }: TrustOptions, streams: Streams): Promise<number> {
  if (key === undefined || origin === undefined) throw new UsageError("--key NAME and --origin ORIGIN go together");
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--origin takes an address such as https://api.example.com; got "${origin}"`);
  }
  const { paths, loaded } = await inspectProject({ directory });
  const [name, place] = [toLine(key), url.origin];
  if (revoke) {
    await revokeKey(paths.confirmedKeys, { key, origin: place });
    streams.out.line(`${name} is no longer sent to ${place} for a project`);
    return EXIT.success;
  }
  if (!loaded.keys.values.has(key)) streams.err.line(`! there is no ${name} in ${paths.envFile} yet`);
  if (url.protocol === "http:" && !isPrivateHost(url.hostname)) {
    streams.err.line(`! ${place} is not encrypted: everybody on the way can read the key`);
  }
  await confirmKey(paths.confirmedKeys, { key, origin: place });
  streams.out.line(`${name} may be sent to ${place}`);
  return EXIT.success;
}
