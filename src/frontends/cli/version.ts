/** `version`, `--version`, `-v`. Light: nothing but the build's own facts is loaded. */
import { BUILD } from "../../lib/build_info.ts";
import { toJsonLine } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";

export function versionLine(): string {
  return `reasonix ${BUILD.version}`;
}

export function run(context: CommandContext): Promise<number> {
  const { out } = context.streams;
  const target = `${Deno.build.os}-${Deno.build.arch}`;
  if (context.parsed.values.has("json")) {
    out.line(toJsonLine({
      version: BUILD.version,
      git_commit: BUILD.commit,
      build_time_utc: BUILD.time,
      build_target: target,
      deno: Deno.version.deno,
    }));
    return Promise.resolve(0);
  }
  out.line(versionLine());
  if (context.parsed.values.has("verbose")) {
    out.line(`commit  ${BUILD.commit || "(run from source)"}`);
    out.line(`built   ${BUILD.time || "(run from source)"}`);
    out.line(`target  ${target}`);
    out.line(`deno    ${Deno.version.deno}, v8 ${Deno.version.v8}`);
  }
  return Promise.resolve(0);
}
