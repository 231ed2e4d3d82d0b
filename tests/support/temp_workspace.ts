/** A fresh folder as a workspace, gone when the test ends. */
import type { ToolKind, ToolOutput, ToolPorts, ToolSet } from "../../src/contract/tool.ts";
import type { Files } from "../../src/contract/workspace.ts";
import { createLocalFiles } from "../../src/workspace/mod.ts";

export interface TempWorkspace extends AsyncDisposable {
  /** Holds the workspace and whatever lies beside it. Absolute, links resolved. */
  readonly parent: string;
  readonly root: string;
  readonly files: Files;
  /** Writes below the root, past every wall. Text is UTF-8. */
  put(path: string, content: string | Uint8Array): Promise<string>;
  bytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
  text(path: string): Promise<string>;
  /** Runs a tool that needs nothing but the files of a workspace: these, unless other ones are given. */
  call(kind: ToolKind, args: Record<string, unknown>, files?: Files): Promise<ToolOutput>;
}

export async function createTempWorkspace(content: Record<string, string> = {}): Promise<TempWorkspace> {
  const parent = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
  const root = `${parent}/ws`;
  await Deno.mkdir(root);
  const workspace: TempWorkspace = {
    parent,
    root,
    files: createLocalFiles(root),
    put: async (path, data) => {
      const absolute = `${root}/${path}`;
      await Deno.mkdir(absolute.slice(0, absolute.lastIndexOf("/")), { recursive: true });
      await Deno.writeFile(absolute, typeof data === "string" ? new TextEncoder().encode(data) : data);
      return absolute;
    },
    bytes: (path) => Deno.readFile(`${root}/${path}`),
    text: (path) => Deno.readTextFile(`${root}/${path}`),
    call: (kind, args, files = workspace.files) =>
      kind.create({ workspace: { root, files }, settings: { searchEngine: "native" } } as ToolPorts, {} as ToolSet)
        .execute(args, {
          callId: "call",
          signal: new AbortController().signal,
          progress: () => {},
        }),
    [Symbol.asyncDispose]: () => Deno.remove(parent, { recursive: true }),
  };
  for (const [path, text] of Object.entries(content)) await workspace.put(path, text);
  return workspace;
}
