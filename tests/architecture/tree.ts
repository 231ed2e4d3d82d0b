/** The sources under test, read once, and what they import. */
import { modules, type Named } from "../../scripts/layers.ts";

export const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** Path below the root -> text, of every TypeScript file at or below these paths; without the tests if not asked for. */
export function readSources(paths: readonly string[], options: { readonly tests?: boolean } = {}): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of filesBelow(paths)) {
    if (!/\.tsx?$/.test(path) || (!options.tests && /_test\.tsx?$/.test(path))) continue;
    found.set(path, Deno.readTextFileSync(ROOT + path));
  }
  return found;
}

/** Files at or below these paths, sorted, as paths below the root. */
export function filesBelow(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (Deno.statSync(ROOT + path).isFile) return [path];
    return filesBelow([...Deno.readDirSync(ROOT + path)].map((entry) => `${path}/${entry.name}`).sort());
  });
}

/** Each module a file names, in order. */
export function namedModules(path: string, text: string): Named[] {
  const found: Named[] = [];
  Deno.lint.runPlugin(
    { name: "collect", rules: { all: { create: () => modules((_node, named) => void found.push(named)) } } },
    ROOT + path,
    text,
  );
  return found;
}

/** What of the project itself is loaded together with a file, as paths below the root. */
export function loadedWith(path: string, text: string): string[] {
  return namedModules(path, text)
    .filter((one) => one.static && !one.typeOnly && typeof one.specifier === "string" && one.specifier.startsWith("."))
    .map((one) => new URL(one.specifier as string, `file:///${path}`).pathname.slice(1));
}
