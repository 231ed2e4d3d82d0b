import assert from "node:assert/strict";

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
