/**
 * A repository as people work in: some thousand files with a history, texts in the encodings of several decades, names
 * in several scripts, links, a submodule, a second work tree, big and binary files, ignored folders. The same seed makes
 * the same files.
 */
import iconv from "iconv-lite";
import { join } from "../../src/lib/path.ts";

export interface WorkingRepository {
  readonly root: string;
  /** A work tree of the same repository, on the branch `side`. */
  readonly linked: string;
}

export interface WorkingRepositoryOptions {
  readonly seed?: number;
  readonly files?: number;
  readonly commits?: number;
}

export interface OldText {
  readonly path: string;
  readonly encoding: string;
  readonly bom?: boolean;
  readonly text: string;
}

/** One file for each encoding; the first line of each says which. */
export const OLD_TEXTS: readonly OldText[] = [
  { path: "legacy/utf8.txt", encoding: "utf8", text: "utf8 – naïve café\nkey = old value\nend\n" },
  { path: "legacy/utf8-bom.ini", encoding: "utf8", bom: true, text: "[utf8 bom]\nkey = old value\nnächste = 1\n" },
  { path: "legacy/utf16le.txt", encoding: "utf16le", bom: true, text: "utf16le 中文 ☂\r\nkey = old value\r\nend\r\n" },
  { path: "legacy/utf16be.txt", encoding: "utf16be", bom: true, text: "utf16be naïve\nkey = old value\nend\n" },
  {
    path: "legacy/gb18030.txt",
    encoding: "gb18030",
    text: "简体中文的说明文件，写于很久以前。\nkey = old value\n结束：这里没有别的内容了。\n",
  },
  {
    path: "legacy/latin1.c",
    encoding: "latin1",
    text: "/* Größe der Prüfsumme, für ältere Geräte */\nint key = 1; /* old value */\n/* façade */\n",
  },
  { path: "legacy/crlf.bat", encoding: "utf8", text: "@echo off\r\nset KEY=old value\r\necho done\r\n" },
  { path: "legacy/no-newline.cfg", encoding: "utf8", text: "# no newline at the end\nkey = old value" },
  { path: "legacy/mixed-ends.txt", encoding: "utf8", text: "unix\nkey = old value\r\nmac and dos\r\nunix again\n" },
];

export function toBytes({ text, encoding, bom }: OldText): Uint8Array {
  return Uint8Array.from(iconv.encode(text, encoding, { addBOM: bom ?? false }));
}

const WORDS =
  ("parser lexer token stream buffer cursor index shard ledger invoice order basket vendor price tax quota " +
    "session route handler filter mapper reader writer queue worker lease clock retry fault metric trace").split(" ");
const AREAS = ["core", "billing", "search", "web", "api", "jobs", "mobile app", "文档", "инструменты", "emoji 🎉"];

/** A small generator of numbers (a linear congruence), so that a failure can be seen again. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** `parent` holds the repository, its second work tree and the library that is its submodule. Throws without git. */
export async function makeWorkingRepository(
  parent: string,
  { seed = 1, files = 2000, commits = 400 }: WorkingRepositoryOptions = {},
): Promise<WorkingRepository> {
  const below = numbers(seed);
  const root = join(parent, "shop front");
  const linked = join(parent, "side work");
  const library = join(parent, "library");
  const git = gitIn(parent);

  await git(["init", "--quiet", "-b", "main", library]);
  await git(["-C", library, "fast-import", "--quiet", "--force"], toHistory([[["lib.ts", "export const lib = 1;\n"]]]));

  await git(["init", "--quiet", "-b", "main", root]);
  await git(["-C", root, "fast-import", "--quiet", "--force"], toHistory(plan({ below, files, commits })));
  await git(["-C", root, "checkout", "--quiet", "main"]);
  await git(["-C", root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/library"]);
  await git(["-C", root, "commit", "--quiet", "-m", "Take the library in"]);
  await git(["-C", root, "worktree", "add", "--quiet", "-b", "side", linked]);

  // What is not in the repository.
  for (let n = 0; n < 120; n++) {
    await write(join(root, `node_modules/dep-${n % 12}/lib/${word(below)}-${n}.js`), `module.exports = "key ${n}";\n`);
  }
  await write(join(root, "build/out.js"), "// old value of a build\n".repeat(2000));
  await write(join(root, "server.log"), "2026-01-01 GET /orders 200 old value\n".repeat(80_000));
  await write(join(root, "not yet added.txt"), "key = old value\n");
  return { root, linked };
}

type Content = string | Uint8Array;
/** Path and content; a path that ends with `@` is a link to what its content names. */
type Change = readonly [path: string, content: Content];

/** What each commit writes. */
function plan(
  { below, files, commits }: { below: (n: number) => number; files: number; commits: number },
): Change[][] {
  const history: Change[][] = [[...foundation(below)]];
  const paths: string[] = [];
  for (let n = 0; paths.length < files; n++) {
    const area = AREAS[below(AREAS.length)]!;
    paths.push(`packages/${area}/src/${word(below)}/${word(below)}_${n}.${n % 9 === 0 ? "md" : n % 5 ? "ts" : "py"}`);
  }
  const each = Math.ceil(files / (commits * 0.7));
  for (let n = 0; n < commits; n++) {
    const made = paths.slice(n * each, (n + 1) * each);
    const touched = made.length > 0 ? made : [paths[below(paths.length)]!, paths[below(paths.length)]!];
    history.push([...new Set(touched)].map((path) => [path, source(path, below)]));
  }
  return history;
}

function* foundation(below: (n: number) => number): Generator<Change> {
  yield ["README.md", "# Shop front\n\nOrders, baskets and invoices. Run `sh check.sh` before a commit.\n"];
  yield [".gitignore", "node_modules/\nbuild/\n*.log\n.env\n"];
  yield ["check.sh", "#!/bin/sh\ngrep -rn 'FIXME' packages && exit 1\necho all good\n"];
  yield ["packages/core/package.json", `{ "name": "core", "type": "module" }\n`];
  for (const old of OLD_TEXTS) yield [old.path, toBytes(old)];
  yield ["assets/logo.png", binary(below, 200_000)];
  yield ["assets/photo mit Leerzeichen.jpg", binary(below, 900_000)];
  yield ["data/prices.csv", Array.from({ length: 60_000 }, (_, n) => `${n},${word(below)},${below(9999)}\n`).join("")];
  yield ["data/bundle.min.js", `var a=[${Array.from({ length: 120_000 }, () => below(999)).join(",")}];\n`];
  yield ["README.link.md@", "README.md"];
  yield ["packages/current@", "core"];
  yield ["dangling@", "nowhere/to/be/found"];
  yield ["loop@", "loop"];
}

function source(path: string, below: (n: number) => number): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\W/g, "_");
  const lines: string[] = [];
  for (let n = 10 + below(60); n > 0; n--) {
    const [a, b, c] = [word(below), word(below), word(below)];
    if (path.endsWith(".md")) lines.push(`The ${a} hands each ${b} to the ${c}; see ${name}.`);
    else if (path.endsWith(".py")) lines.push(`def ${a}_${b}_${n}(${c}):`, `    return ${c} + ${below(100)}`, "");
    else lines.push(`export function ${a}${cap(b)}${n}(${c}: number): number {`, `  return ${c} + ${below(100)};`, "}");
  }
  return lines.join("\n") + "\n";
}

/** The history as `git fast-import` reads it. */
function toHistory(history: readonly (readonly Change[])[]): Uint8Array[] {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  const say = (text: string) => pieces.push(encoder.encode(text));
  const data = (bytes: Uint8Array) => {
    say(`data ${bytes.length}\n`);
    pieces.push(bytes);
    say("\n");
  };
  history.forEach((changes, index) => {
    say(`commit refs/heads/main\ncommitter A Person <person@example.com> ${1_750_000_000 + index * 3_600} +0000\n`);
    data(encoder.encode(`Change ${index}: ${changes[0]?.[0] ?? ""}`));
    for (const [path, content] of changes) {
      const mode = path.endsWith("@") ? "120000" : path.endsWith(".sh") ? "100755" : "100644";
      say(`M ${mode} inline ${path.replace(/@$/, "")}\n`);
      data(typeof content === "string" ? encoder.encode(content) : content);
    }
  });
  return pieces;
}

function gitIn(home: string) {
  const env = {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "A Person",
    GIT_AUTHOR_EMAIL: "person@example.com",
    GIT_COMMITTER_NAME: "A Person",
    GIT_COMMITTER_EMAIL: "person@example.com",
  };
  return async (args: readonly string[], input: readonly Uint8Array[] = []) => {
    const child = new Deno.Command("git", {
      args: [...args],
      cwd: home,
      clearEnv: true,
      env,
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const fed = ReadableStream.from(input).pipeTo(child.stdin);
    const [{ success, stderr }] = await Promise.all([child.output(), fed]);
    if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  };
}

async function write(path: string, content: Content): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
}

function binary(below: (n: number) => number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let n = 0; n < size; n++) bytes[n] = below(256);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytes;
}

function word(below: (n: number) => number): string {
  return WORDS[below(WORDS.length)]!;
}

function cap(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
