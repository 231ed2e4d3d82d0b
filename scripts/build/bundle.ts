/**
 * The program for a machine that has Deno: the staged files and a launcher in one folder, to be copied as it is. It
 * starts nearly as fast as an executable, since Deno keeps its code cache in the person's own cache folder.
 */
import type { Stage } from "./stage.ts";

export interface BundleOptions {
  /** Options of `deno run`: what the program may do, and settings of the engine. */
  readonly flags: readonly string[];
}

/** `folder` is emptied. Answers the launcher's path. */
export async function writeBundle(stage: Stage, folder: string, { flags }: BundleOptions): Promise<string> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  for await (const { name, isFile } of Deno.readDir(stage.folder)) {
    if (isFile && /\.(?:js|json)$/.test(name)) await Deno.copyFile(`${stage.folder}/${name}`, `${folder}/${name}`);
  }
  const options = ["--quiet", "--no-check", "--no-lock", "--cached-only", ...flags].join(" ");
  const launcher = `${folder}/reasonix`;
  await Deno.writeTextFile(
    launcher,
    `#!/bin/sh
# Reasonix on the Deno of this machine. The folder this file lies in is the program; links to this file work.
program=$0
while [ -L "$program" ]; do
  target=$(readlink "$program")
  case $target in /*) program=$target ;; *) program=$(dirname "$program")/$target ;; esac
done
folder=$(cd "$(dirname "$program")" && pwd -P)
exec deno run ${options} --config "$folder/deno.json" "$folder/${stage.main}" "$@"
`,
    { mode: 0o755 },
  );
  await Deno.writeTextFile(
    `${launcher}.cmd`,
    `@deno run ${options} --config "%~dp0deno.json" "%~dp0${stage.main}" %*\r\n`,
  );
  return launcher;
}
