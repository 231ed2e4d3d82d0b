import assert from "node:assert/strict";
import fc from "fast-check";
import { sharedPath } from "../../../tests/support/shared.ts";
import { IgnoreFile, IgnoreScope } from "./gitignore.ts";
import { hasGit } from "../../../tests/support/programs.ts";

/** Text of ignore files by the folder they stand in (`""` for the top); a path that ends in `/` is a folder. */
function isIgnored(files: Readonly<Record<string, string>>, exclude: string, path: string): boolean {
  const names = path.replace(/\/$/, "").split("/");
  let scope = IgnoreScope.none.with(new IgnoreFile(exclude));
  for (const [i, name] of names.entries()) {
    const own = files[names.slice(0, i).join("/")];
    if (own !== undefined) scope = scope.with(new IgnoreFile(own));
    if (scope.ignores(name, i < names.length - 1 || path.endsWith("/"))) return true;
    scope = scope.enter(name);
  }
  return false;
}

interface Case {
  readonly description: string;
  readonly patterns: readonly unknown[];
  readonly paths: Readonly<Record<string, boolean>>;
  readonly git?: Readonly<Record<string, boolean>>;
}

const recorded = sharedPath("fixtures/formats/gitignore-cases.json");

Deno.test({
  name: "gives the verdicts of git on recorded cases",
  ignore: recorded === undefined,
  fn() {
    const wrong: unknown[] = [];
    let asked = 0;
    for (const { description, patterns, git } of JSON.parse(Deno.readTextFileSync(recorded!)) as Case[]) {
      for (const [path, expected] of Object.entries(git ?? {})) {
        asked++;
        if (isIgnored({ "": patterns.join("\n") }, "", path) !== expected) wrong.push({ description, path, expected });
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(asked > 200);
  },
});

Deno.test("a deeper file beats a shallower one, the last rule wins, exclude stands below all", () => {
  const files = { "": "*.log\n!keep.log\n/build/\ntmp/*\n!tmp/a\n", pkg: "!x.log\nsub/\n" };
  const verdicts = [
    "a.log",
    "keep.log",
    "pkg/x.log",
    "pkg/y.log",
    "build/",
    "pkg/build/",
    "tmp/a",
    "tmp/b",
    "pkg/sub/",
    "sub/",
    "local",
  ]
    .map((path) => [path, isIgnored(files, "local\n!a.log\n", path)]);
  assert.deepEqual(Object.fromEntries(verdicts), {
    "a.log": true,
    "keep.log": false,
    "pkg/x.log": false,
    "pkg/y.log": true,
    "build/": true,
    "pkg/build/": false,
    "tmp/a": false,
    "tmp/b": true,
    "pkg/sub/": true,
    "sub/": false,
    "local": true,
  });
});

/** Git finds out itself what is a folder; with the slash it would match the slash as well. */
function bare(path: string): string {
  return path.replace(/\/$/, "");
}

/** The verdict of git itself; `paths` are made first, those that end in `/` as folders. */
async function gitIgnored(
  files: Readonly<Record<string, string>>,
  exclude: string,
  paths: readonly string[],
): Promise<Set<string>> {
  const root = await Deno.makeTempDir({ prefix: "ignore-" });
  try {
    const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", HOME: root };
    await new Deno.Command("git", { args: ["init", "-q", root], env }).output();
    await Deno.writeTextFile(`${root}/.git/info/exclude`, exclude);
    for (const [folder, text] of Object.entries(files)) {
      await Deno.mkdir(`${root}/${folder}`, { recursive: true });
      await Deno.writeTextFile(`${root}/${folder}/.gitignore`, text);
    }
    for (const path of paths) {
      await Deno.mkdir(`${root}/${path.slice(0, path.lastIndexOf("/") + 1)}`, { recursive: true });
      if (!path.endsWith("/")) await Deno.writeTextFile(`${root}/${path}`, "");
    }
    const git = new Deno.Command("git", {
      args: ["check-ignore", "--no-index", "-z", "--stdin"],
      cwd: root,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = git.stdin.getWriter();
    await writer.write(new TextEncoder().encode(paths.map((path) => `${bare(path)}\0`).join("")));
    await writer.close();
    const { stdout } = await git.output();
    return new Set(new TextDecoder().decode(stdout).split("\0").filter((path) => path !== ""));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test({
  name: "gives the verdicts of git on generated trees",
  ignore: !hasGit,
  async fn() {
    const name = fc.constantFrom(
      "a",
      "b",
      "ab",
      "a.log",
      "b.log",
      "x y",
      "é",
      "[a]",
      "#c",
      "!d",
      "a\\b",
      "keep",
      ".h",
      "e ",
    );
    const path = fc.tuple(fc.array(fc.constantFrom("a", "b", "ab", "é"), { maxLength: 3 }), name, fc.boolean())
      .map(([folders, last, folder]) => [...folders, last].join("/") + (folder ? "/" : ""));
    const piece = fc.constantFrom(
      ..."a b ab * ** ? *.log a* *b [ab] [!a] [^b] [a-z] é ?? \\# \\! \\[a] [[:alpha:]] a\\b x\\ y [ [] a[ .h .* e\\  keep [é] \\"
        .split(
          " ",
        ),
    );
    const rule = fc.tuple(
      fc.constantFrom("", "", "!", "/", "!/", "#", " "),
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "", "/", " ", "  ", "\\ ", "\r", "/**", "\t"),
    ).map(([start, pieces, end]) => start + pieces.join("/") + end);
    const text = fc.array(rule, { maxLength: 5 }).map((rules) => rules.join("\n"));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.option(text, { nil: undefined }),
        fc.option(text, { nil: undefined }),
        text,
        fc.uniqueArray(path, { minLength: 20, maxLength: 40, selector: (one) => one.replace(/\/$/, "") }),
        async (top, inA, inAB, exclude, all) => {
          // A name cannot be both a file and a folder of the same tree.
          const folders = new Set(
            all.flatMap((one) => one.split("/").slice(0, -1).map((_, i, parts) => parts.slice(0, i + 1).join("/"))),
          );
          const paths = all.filter((one) => one.endsWith("/") || (!folders.has(one) && !["a", "a/b"].includes(one)));
          const files: Record<string, string> = { "": top };
          if (inA !== undefined) files["a"] = inA;
          if (inAB !== undefined) files["a/b"] = inAB;
          const git = await gitIgnored(files, exclude, paths);
          const ours = new Set(paths.filter((one) => isIgnored(files, exclude, one)).map(bare));
          assert.deepEqual([...ours].sort(), [...git].sort(), JSON.stringify({ files, exclude }));
        },
      ),
      { numRuns: 30 },
    );
  },
});
