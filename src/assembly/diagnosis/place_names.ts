/** Places without saying where on this machine they are: `<workspace>/…`, `~/…`, `<external>/name`. */
import { basename, isAbsolute, isInside, relativeTo } from "../../lib/path.ts";

export interface PlaceNames {
  /** A path. */
  place(path: string): string;
  /** A text with paths in it. */
  text(text: string): string;
}

/** `root`: the workspace. Both absolute; a home inside the workspace, or the workspace in a home, are both understood. */
export function createPlaceNames({ root, userHome }: { readonly root: string; readonly userHome: string }): PlaceNames {
  const known = [[root, "<workspace>"], [userHome, "~"]] as const;
  const ordered = [...known].sort(([a], [b]) => b.length - a.length);
  return {
    place: (path) => {
      if (!isAbsolute(path)) return path;
      const found = ordered.find(([folder]) => isInside(path, folder));
      if (found === undefined) return `<external>/${basename(path)}`;
      return path === found[0] ? found[1] : `${found[1]}/${relativeTo(path, found[0])}`;
    },
    text: (text) => ordered.reduce((shown, [folder, name]) => shown.replaceAll(`${folder}/`, `${name}/`), text),
  };
}
