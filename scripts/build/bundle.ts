/**
 * The program for a machine that has Deno: packs with code caches, made with the Deno that builds, and a launcher in one
 * folder, to be copied as it is. Nothing is deflated, since each file is read only when it is needed.
 */
import { packProgram } from "./pack/mod.ts";
import type { Stage } from "./stage.ts";

export interface BundleOptions {
  /** Options of `deno run`: what the program may do, and settings of the engine. */
  readonly flags: readonly string[];
}

/** `folder` is emptied, and so is `packed`, where the maps of the packs stay. Answers the names of the caches. */
export async function writeBundle(
  stage: Stage,
  { folder, packed }: { readonly folder: string; readonly packed: string },
  { flags }: BundleOptions,
): Promise<readonly string[]> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const options = ["run", "--quiet", "--no-check", "--no-lock", "--cached-only", ...flags];
  const program = await packProgram(stage, packed, {
    start: (from) => {
      const files = [`${from.folder}/deno.json`, `${from.folder}/${from.main}`];
      return Promise.resolve([Deno.execPath(), ...options, "--config", ...files]);
    },
    deflated: false,
  });
  await Deno.rename(program.folder, folder);
  await writeLaunchers(`${folder}/reasonix`, options.join(" "), program.main);
  return program.cached;
}

/** For a shell, and beside it for Windows. */
export async function writeLaunchers(launcher: string, options: string, main: string): Promise<void> {
  await Deno.writeTextFile(
    launcher,
    `#!/bin/sh
# Reasonix on the Deno of this machine. The folder this file lies in is the program; links to this file work.
case $0 in */*) program=$0 ;; *) program=./$0 ;; esac
while [ -L "$program" ]; do
  target=$(readlink "$program")
  case $target in /*) program=$target ;; *) program=\${program%/*}/$target ;; esac
done
folder=\${program%/*}
if ! command -v deno >/dev/null; then
  echo 'reasonix: this form of the program runs on Deno 2.6 or later, and there is no deno in the PATH.' >&2
  echo 'Install it (npm install -g deno), or use the executable, which needs nothing.' >&2
  exit 1
fi
exec deno ${options} --config "$folder/deno.json" "$folder/${main}" "$@"
`,
    { mode: 0o755 },
  );
  await Deno.writeTextFile(
    `${launcher}.cmd`,
    `@deno ${options} --config "%~dp0deno.json" "%~dp0${main}" %*\r\n`,
  );
}
