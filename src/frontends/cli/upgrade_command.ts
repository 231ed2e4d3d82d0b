/** `upgrade`: the newest official release in place of this executable. */
import { inspectProject, loadFetch } from "../../assembly/mod.ts";
import { ReasonixError } from "../../contract/errors.ts";
import { BUILD } from "../../lib/build_info.ts";
import { parseJson } from "../../lib/json.ts";
import { toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { UsageError } from "./flags.ts";
import { fetchText, install } from "./upgrade/install.ts";
import {
  assetName,
  baseVersion,
  compareVersions,
  INDEX_VARIABLE,
  newestRelease,
  parseVersion,
  type Release,
  RELEASE_INDEX,
  safeUrl,
} from "./upgrade/release.ts";

const OLD_CHANNELS = ["stable", "latest", "beta", "canary", "next", "nightly", "preview", "dev"];

const LIMIT_MS = 10 * 60 * 1000;

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const { out, err } = streams;
  const odd = parsed.words.find((word) => !OLD_CHANNELS.includes(word));
  if (odd !== undefined) throw new UsageError(`usage: reasonix upgrade [--check] [--force]; got "${odd}"`);
  if (parsed.values.has("channel") || parsed.words.length > 0) {
    err.line("! channels are gone and ignored: every upgrade is to the newest official release");
  }
  const signal = AbortSignal.timeout(LIMIT_MS);
  const fetch = await loadFetch(await inspectProject());
  const release = await findNewest({ fetch, signal });
  const current = baseVersion(BUILD.version);
  const newer = current === undefined || compareVersions(parseVersion(release.tag)!, current) > 0;
  if (parsed.values.has("check")) {
    out.line(newer ? `${release.tag} is out; this is ${BUILD.version}` : `${BUILD.version} is the newest release`);
    return EXIT.success;
  }
  if (!newer && !parsed.values.has("force")) {
    out.line(`${BUILD.version} is the newest release`);
    return EXIT.success;
  }
  if (!Deno.build.standalone) {
    err.line(`error: this is reasonix run from source; ${release.tag} is out`);
    err.line("  Update the checkout, for instance with git pull.");
    return EXIT.failure;
  }
  const executable = await Deno.realPath(Deno.execPath());
  const asset = assetName(Deno.build.os, Deno.build.arch);
  out.line(toTerminal(`fetching ${asset} ${release.tag} …`));
  await install(release, { executable, asset, fetch, signal });
  out.line(toTerminal(`${executable} is ${release.tag} now; before it was ${BUILD.version}`));
  return EXIT.success;
}

async function findNewest(ports: { readonly fetch: typeof fetch; readonly signal: AbortSignal }): Promise<Release> {
  const url = safeUrl(Deno.env.get(INDEX_VARIABLE)?.trim() || RELEASE_INDEX);
  const release = newestRelease(parseJson(await fetchText(url, ports)), url);
  if (release) return release;
  throw new ReasonixError("provider.bad_response", `${new URL(url).host} lists no official release`, { retry: true });
}
