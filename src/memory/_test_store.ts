/** A store in a fresh folder, with a clock the test turns. */
import { type FactContent, FactStore, type NewFact } from "./fact_store.ts";

export interface TestStore extends AsyncDisposable {
  readonly base: string;
  readonly folders: { readonly project: string; readonly global: string };
  readonly store: FactStore;
  now: number;
  put(path: string, text: string): Promise<void>;
  text(path: string): Promise<string>;
  names(folder: string): string[];
}

export async function createTestStore(): Promise<TestStore> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
  const folders = { project: `${base}/project`, global: `${base}/global` };
  const test: TestStore = {
    base,
    folders,
    now: Date.parse("2026-01-31T09:45:12.123Z"),
    store: new FactStore({ folders, now: () => test.now }),
    put: async (path, text) => {
      const full = `${base}/${path}`;
      await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(full, text);
    },
    text: (path) => Deno.readTextFile(`${base}/${path}`),
    names: (folder) => [...Deno.readDirSync(`${base}/${folder}`)].map(({ name }) => name).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
  return test;
}

export const fact = (content: Partial<NewFact> & Pick<FactContent, "description">): NewFact => ({
  scope: "project",
  body: content.description,
  ...content,
});
