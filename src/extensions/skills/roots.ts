/** Where skills are looked for, and whether there is anything at all. Loaded at every start, so it stays small. */
import { isInside } from "../../lib/path.ts";
import type { SkillRoot } from "./skill.ts";

export interface SkillPlaces {
  /** Highest rank first. */
  readonly roots: readonly SkillRoot[];
  /** Neither looked into nor into what lies below. Absolute. */
  readonly excluded: readonly string[];
  /** Folders below a root. */
  readonly maxDepth: number;
}

export interface RootPlaces {
  /** The workspace: absolute, links resolved. */
  readonly root: string;
  /** The Reasonix home. */
  readonly home: string;
  /** The person's home folder; absent: the folders of other programs there are left alone. */
  readonly userHome?: string;
  /** Of the settings. Absolute. */
  readonly custom: readonly string[];
  /** Of the settings. Absolute. */
  readonly excluded: readonly string[];
}

export function skillRoots({ root, home, userHome, custom, excluded }: RootPlaces): readonly SkillRoot[] {
  const roots: SkillRoot[] = [
    ...[".reasonix", ".agents", ".agent", ".claude"].map((name): SkillRoot => ({
      path: `${root}/${name}/skills`,
      scope: "project",
      within: root,
      ...(name === ".claude" ? { marked: true } : {}),
    })),
    ...custom.map((path): SkillRoot => ({
      path,
      scope: "custom",
      ...(isInside(path, root) ? { within: root } : {}),
    })),
    { path: `${home}/skills`, scope: "global" },
    ...(userHome === undefined ? [] : [".agents", ".agent", ".claude"]).map((name): SkillRoot => ({
      path: `${userHome}/${name}/skills`,
      scope: "global",
      ...(name === ".claude" ? { marked: true } : {}),
    })),
  ];
  return roots.filter(({ path }, at) =>
    // In the home folder the person's own folder is the workspace's as well.
    roots.findIndex((one) => one.path === path) === at && !excluded.some((place) => isInside(path, place))
  );
}

/** One attempt to open the folder. A place of the settings counts either way: that it is missing is to be told. */
export function isWorthALook({ path, scope }: SkillRoot): boolean {
  if (scope === "custom") return true;
  try {
    for (const _ of Deno.readDirSync(path)) return true;
    return false;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory);
  }
}
