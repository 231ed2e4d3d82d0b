import assert from "node:assert/strict";
import { createTree, type Look, lookOf, membersOf, type Row } from "./process_tree.ts";

/** As scripts/build.ts gives them to the executable: Deno then keeps `/proc` to itself. */
const EXECUTABLE = ["read", "write", "net", "env", "run", "sys"].map((name) => `--allow-${name}`);

Deno.test("with the executable's permissions too, nothing of a command's tree survives its end", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const root = await Deno.makeTempDir();
  const script = `const { createLocalProcesses } = await import(${
    JSON.stringify(new URL("./mod.ts", import.meta.url).href)
  });
    const { ended, kill } = await createLocalProcesses({ root: ${JSON.stringify(root)} }).start({ command: { shell:
      "setsid sh -c 'echo $$ >away; exec sleep 300' & (setsid sh -c 'echo $$ >orphan; exec sleep 300' &) ; " +
      "while [ ! -s away ] || [ ! -s orphan ]; do sleep 0.05; done" } });
    const { survivors } = await ended;
    await kill();
    console.log(JSON.stringify(survivors.length));`;
  await Deno.writeTextFile(`${root}/script.ts`, script);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...EXECUTABLE, "--no-prompt", "--no-check", `${root}/script.ts`],
    stdin: "null",
  }).output();
  assert.equal(new TextDecoder().decode(stdout).trim(), "2", new TextDecoder().decode(stderr));
  for (const name of ["away", "orphan"]) {
    const pid = (await Deno.readTextFile(`${root}/${name}`)).trim();
    const state = await Deno.readTextFile(`/proc/${pid}/stat`).then((text) => /\) (\S)/.exec(text)?.[1], () => "gone");
    assert.match(state ?? "", /gone|Z/, name);
  }
  await Deno.remove(root, { recursive: true });
});

const row = (pid: number, more: Partial<Row> = {}): Row => ({
  pid,
  born: String(pid),
  parent: 1,
  group: pid,
  session: pid,
  ...more,
});

/** Asks for the members once for each look; a look may be asked again. */
async function membersIn(...looks: readonly (readonly Row[] | readonly Look[])[]): Promise<number[][]> {
  const tree = createTree(100, "call");
  const found: number[][] = [];
  for (const look of looks) {
    const waiting = look.map((one) => "rows" in one ? one : undefined).filter((one) => one !== undefined);
    const next = () => Promise.resolve(waiting.shift() ?? lookOf(look as readonly Row[]));
    found.push(await membersOf(tree, next));
  }
  return found;
}

Deno.test("children, groups and sessions of members belong, also when the one that led them is no more", async () => {
  const leader = row(100);
  const child = row(101, { parent: 100, group: 100, session: 100 });
  const away = row(102, { parent: 101, group: 102, session: 102 });
  const stranger = row(103, { parent: 9, group: 9, session: 9 });
  assert.deepEqual(await membersIn([leader, child, away, stranger], [{ ...child, parent: 1 }, away], [away]), [
    [100, 101, 102],
    [101, 102],
    [102],
  ]);
});

Deno.test("a number that another process has been given names nobody of ours", async () => {
  const left = row(102, { parent: 100, group: 100, session: 100 });
  const away = row(105, { parent: 100 });
  const later = (pid: number) => row(pid, { born: "later", parent: 9, group: 9, session: 9 });
  const itsChild = (pid: number) => row(pid + 200, { parent: pid, group: 9, session: 9 });
  const reused = [100, 102].flatMap((pid) => [later(pid), itsChild(pid)]);
  assert.deepEqual(await membersIn([row(100), left, away], [away, ...reused]), [[100, 102, 105], [105]]);
  // The leader was gone at the first look already.
  assert.deepEqual(await membersIn([left], [left, later(100), itsChild(100)]), [[102], [102]]);
});

Deno.test("who becomes another program and shows no mark meanwhile is looked at again, and others are not waited for", async () => {
  const daemon = row(150);
  const other = row(151);
  const clear = lookOf([daemon, other], { isMarked: ({ pid }) => pid === 150 });
  const isUnclear = ({ pid }: Row) => pid === 150;
  assert.deepEqual(await membersIn([lookOf([daemon, other], { isUnclear }), clear]), [[150]]);
  let looks = 0;
  const always = () => {
    looks++;
    // Each look shows another one that is unclear.
    return Promise.resolve(lookOf([row(200 + looks)], { isUnclear: () => true }));
  };
  assert.deepEqual([await membersOf(createTree(100, "call"), always), looks], [[], 2]);
});

Deno.test("an empty look that processes were started during is not believed at once", async () => {
  const daemon = row(150);
  const late = lookOf([], { isLate: () => true });
  assert.deepEqual(await membersIn([late, lookOf([daemon], { isMarked: () => true })]), [[150]]);
});
