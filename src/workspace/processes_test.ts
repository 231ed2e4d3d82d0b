import assert from "node:assert/strict";
import type { CommandSpec, ExitStatus } from "../contract/workspace.ts";
import { createLocalProcesses, type LocalProcessesOptions } from "./processes.ts";
import { createSessionTemp } from "./session_temp.ts";

const posix = { ignore: Deno.build.os === "windows" };
const linux = { ignore: Deno.build.os !== "linux" };

async function inFolder(test: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await test(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

interface Ran extends ExitStatus {
  readonly output: string;
  readonly survivors: readonly number[];
}

async function run(
  root: string,
  shell: string,
  options: { spec?: Partial<CommandSpec>; local?: Partial<LocalProcessesOptions> } = {},
): Promise<Ran> {
  const processes = createLocalProcesses({ root, ...options.local });
  const decoder = new TextDecoder();
  let output = "";
  const command = await processes.start({
    command: { shell },
    onOutput: (bytes) => void (output += decoder.decode(bytes, { stream: true })),
    ...options.spec,
  });
  const status = await command.ended;
  if (status.survivors.length > 0) await command.kill();
  return { ...status, output };
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

async function numberIn(path: string): Promise<number> {
  for (;;) {
    const text = await Deno.readTextFile(path).catch(() => "");
    if (/^\d+\n/.test(text)) return Number(text);
    await new Promise((done) => setTimeout(done, 10));
  }
}

Deno.test("output of both streams comes in the order it was written", posix, () =>
  inFolder(async (root) => {
    const ran = await run(root, "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done; exit 3");
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `o${i}\ne${i}\n`).join("");
    assert.deepEqual(ran, { code: 3, survivors: [], output: expected });
  }));

Deno.test(
  "a command starts in the root or the folder asked for, whatever its text",
  posix,
  () =>
    inFolder(async (root) => {
      await Deno.mkdir(`${root}/it's a dir`);
      const spec = { cwd: "it's a dir" };
      const texts = ["pwd", "true &\npwd", "# note\npwd", "true | cat\npwd"];
      for (const text of texts) assert.equal((await run(root, text, { spec })).output, `${root}/it's a dir\n`);
      assert.equal((await run(root, "pwd")).output, `${root}\n`);
      await assert.rejects(run(root, "pwd", { spec: { cwd: "missing" } }), { failure: "not_a_directory" });
    }),
);

Deno.test("standard input is empty and there is no terminal", posix, () =>
  inFolder(async (root) => {
    const ran = await run(root, "cat; tty; (read x </dev/tty) 2>/dev/null || echo none");
    assert.equal(ran.output, "not a tty\nnone\n");
  }));

Deno.test("the end of the direct child is the end, whoever holds the pipe", linux, () =>
  inFolder(async (root) => {
    for (const text of ["sleep 30 &", "sleep 30 </dev/null >/dev/null 2>&1 &", "(sleep 30; echo late) & echo now"]) {
      const ran = await run(root, text);
      assert.equal(ran.code, 0);
      assert.notDeepEqual(ran.survivors, []);
      assert.deepEqual(ran.survivors.filter(isAlive), []);
      assert.equal(ran.output, text.endsWith("now") ? "now\n" : "");
    }
  }));

Deno.test("output of what outlives the shell still comes, and its end is told", linux, () =>
  inFolder(async (root) => {
    let output = "";
    const command = await createLocalProcesses({ root }).start({
      command: { shell: "(until [ -e go ]; do sleep 0.02; done; echo late) & echo now" },
      onOutput: (bytes) => void (output += new TextDecoder().decode(bytes)),
    });
    await command.ended;
    assert.equal(output, "now\n");
    await Deno.writeTextFile(`${root}/go`, "");
    await command.gone();
    assert.equal(output, "now\nlate\n");
  }));

Deno.test(
  "killing ends the whole tree, also what left the session or hides its environment",
  linux,
  () =>
    inFolder(async (root) => {
      const command = await createLocalProcesses({ root }).start({
        command: {
          shell: [
            "trap '' TERM INT HUP",
            "(sleep 300 & echo $! >plain; wait) &",
            "setsid sh -c 'echo $$ >session; exec sleep 300' &",
            "(setsid sh -c 'echo $$ >orphan; exec sleep 300' &)",
            "env -i /bin/sh -c 'echo $$ >bare; exec sleep 300' &",
            "while :; do sleep 1; done",
          ].join("\n"),
        },
      });
      const names = ["plain", "session", "orphan", "bare"];
      const pids = await Promise.all(names.map((name) => numberIn(`${root}/${name}`)));
      assert.deepEqual(pids.map(isAlive), [true, true, true, true]);
      await command.kill();
      assert.deepEqual([command.pid, ...pids].filter(isAlive), []);
      assert.deepEqual(await command.ended, { signal: "SIGKILL", survivors: [] });
    }),
);

Deno.test("a command that signals its own group ends itself alone", posix, () =>
  inFolder(async (root) => {
    const other = run(root, "sleep 0.3; echo fine");
    assert.deepEqual(await run(root, "kill 0"), { signal: "SIGTERM", survivors: [], output: "" });
    assert.equal((await other).output, "fine\n");
  }));

Deno.test(
  "the stages of the last pipeline are told without a trace in the command",
  linux,
  () =>
    inFolder(async (root) => {
      const local = { shell: { path: "/bin/bash" } };
      const stages = async (text: string) => {
        const { code, pipeStatus, output } = await run(root, text, { local });
        return { code, pipeStatus, output };
      };
      assert.deepEqual(await stages("false | true"), { code: 0, pipeStatus: [1, 0], output: "" });
      assert.deepEqual(await stages("(exit 3) | cat | (exit 4)"), { code: 4, pipeStatus: [3, 0, 4], output: "" });
      const traced = await stages("set -x; false | cat");
      assert.deepEqual([traced.pipeStatus, traced.output.split("\n").sort()], [[1, 0], ["", "+ cat", "+ false"]]);
      assert.deepEqual((await stages("set -eu -o pipefail; false | true; echo no")).pipeStatus, [1, 0]);
      assert.equal((await stages("false | true; echo done")).pipeStatus, undefined);
      assert.equal((await stages("echo 'a | b' || exit 9")).pipeStatus, undefined);
      assert.deepEqual(await stages("trap 'echo mine' EXIT; false | true"), {
        code: 0,
        pipeStatus: undefined,
        output: "mine\n",
      });
      assert.deepEqual(await stages("true | true; exec echo gone"), {
        code: 0,
        pipeStatus: undefined,
        output: "gone\n",
      });
      assert.deepEqual(await stages('echo x | cat; echo "$#$@ $0 $LINENO ${BASH_ENV-unset}"'), {
        code: 0,
        pipeStatus: undefined,
        output: "x\n0 /bin/bash 1 unset\n",
      });
      assert.deepEqual(await stages("exec 8>lock 9>&8; echo hi >&9; cat lock | cat; ls /dev/fd/8 | cat >/dev/null"), {
        code: 0,
        pipeStatus: [0, 0],
        output: "hi\n",
      });
      assert.equal(
        (await stages("true | true\n)")).output,
        "/bin/bash: -c: line 2: syntax error near unexpected token `)'\n/bin/bash: -c: line 2: `)'\n",
      );
      assert.equal((await stages("true | true; kill -9 $$")).pipeStatus, undefined);
    }),
);

Deno.test(
  "a startup file of the user is sourced once, with or without a pipeline",
  linux,
  () =>
    inFolder(async (root) => {
      await Deno.writeTextFile(`${root}/rc`, "echo sourced\n");
      const spec = { env: { BASH_ENV: "$HERE/rc", HERE: root } };
      assert.equal((await run(root, 'echo "$BASH_ENV"', { spec })).output, "sourced\n$HERE/rc\n");
      assert.equal((await run(root, 'echo "$BASH_ENV" | cat', { spec })).output, "sourced\n$HERE/rc\n");
    }),
);

Deno.test("provider keys are taken out and what would ask a person fails", posix, () =>
  inFolder(async (root) => {
    const inherited = { PATH: Deno.env.get("PATH")!, MY_KEY: "secret", FORCE_COLOR: "1", KEPT: "yes" };
    const local = { inherited, secretNames: ["MY_KEY"] };
    const text = 'echo "$MY_KEY|$FORCE_COLOR|$KEPT|$PAGER|$GIT_PAGER|$TERM|$NO_COLOR|$GIT_TERMINAL_PROMPT|$OWN"';
    const ran = await run(root, text, { local, spec: { env: { OWN: "1", TERM: "vt100" } } });
    assert.equal(ran.output, "||yes|cat|cat|vt100|1|0|1\n");
  }));

Deno.test("git fails instead of opening an editor, and rewrites nothing", posix, () =>
  inFolder(async (root) => {
    const git = "git -c user.name=a -c user.email=a@b";
    const made = await run(
      root,
      `git init -q . && for i in 1 2; do echo $i >f; git add f; ${git} commit -q -m $i; done && git rev-parse HEAD`,
    );
    for (
      const text of [
        `${git} commit --amend`,
        `${git} rebase -i HEAD~1`,
        `${git} -c core.editor=vi commit --allow-empty`,
        `${git} -c sequence.editor=true rebase -i --root`,
      ]
    ) {
      const ran = await run(root, text);
      assert.notEqual(ran.code, 0, text);
      assert.match(ran.output, /no editor here/, text);
    }
    assert.equal((await run(root, "git rev-parse HEAD")).output, made.output);
  }));

Deno.test(
  "the temporary folder is made at the first command, private, and removed at the end",
  posix,
  () =>
    inFolder(async (root) => {
      const temp = createSessionTemp({ parent: root });
      const local = { temp };
      assert.equal(temp.made, undefined);
      const first = await run(root, 'echo x >"$TMPDIR/kept"; stat -c %a "$TMPDIR"; echo "$TMP $TEMP"', { local });
      assert.equal(first.output, `700\n${temp.made} ${temp.made}\n`);
      assert.equal(
        (await run(root, 'cat "$TMPDIR/kept"; mkdir "$TMPDIR/d"; chmod 500 "$TMPDIR/d"', { local })).output,
        "x\n",
      );
      await temp.remove();
      assert.deepEqual([...Deno.readDirSync(root)], []);
      await temp.remove();
    }),
);

Deno.test(
  "a very long command runs, and one that no system takes is refused in words",
  linux,
  () =>
    inFolder(async (root) => {
      const text = `cat <<'E' | wc -c\n${"é😀".repeat(100_000)}\nE\necho "$#"`;
      assert.equal((await run(root, text)).output.replaceAll(" ", ""), "600001\n0\n");
      await assert.rejects(run(root, `: ${"x".repeat(4_000_000)}`), { failure: "too_large" });
    }),
);

Deno.test("a flood is read to its exact size", posix, () =>
  inFolder(async (root) => {
    let size = 0;
    const spec = { onOutput: (bytes: Uint8Array) => void (size += bytes.length) };
    await run(root, "head -c 50000000 /dev/zero", { spec });
    assert.equal(size, 50_000_000);
  }));

Deno.test("programs are found outside the workspace only", posix, () =>
  inFolder(async (root) => {
    await Deno.mkdir(`${root}/bin`);
    await Deno.writeTextFile(`${root}/bin/planted`, "#!/bin/sh\n", { mode: 0o755 });
    const outside = await Deno.makeTempDir();
    try {
      await Deno.symlink(`${root}/bin/planted`, `${outside}/planted`);
      await Deno.writeTextFile(`${outside}/real`, "#!/bin/sh\n", { mode: 0o755 });
      await Deno.writeTextFile(`${outside}/text`, "not a program", { mode: 0o644 });
      const inherited = { PATH: `${root}/bin:bin::.:${outside}:/bin` };
      const { which } = createLocalProcesses({ root, inherited });
      assert.equal(await which("planted"), undefined);
      assert.equal(await which("./bin/planted"), undefined);
      assert.equal(await which(`${root}/bin/planted`), undefined);
      assert.equal(await which("text"), undefined);
      assert.equal(await which("real"), `${outside}/real`);
      assert.equal(await which("sh"), "/bin/sh");
    } finally {
      await Deno.remove(outside, { recursive: true });
    }
  }));

Deno.test(
  "a wall starts without what makes the loader run other code, and the command with it",
  posix,
  () =>
    inFolder(async (root) => {
      const env = { LD_LIBRARY_PATH: "/a b", LD_DEBUG_OUTPUT: "/tmp/x" };
      const ask = 'echo "$LD_LIBRARY_PATH $LD_DEBUG_OUTPUT"';
      const argv = ["/bin/sh", "-c", `${ask} >wall; exec "$@"`, "sh"];
      const within = { argv, ownsTree: false, standing: { argv, keeper: "/bin/false" } };
      assert.equal((await run(root, ask, { spec: { within, env } })).output, "/a b /tmp/x\n");
      assert.equal(await Deno.readTextFile(`${root}/wall`), " \n");
    }),
);

Deno.test("a command whose room does not come about runs in a start of its own", posix, () =>
  inFolder(async (root) => {
    const standing = [["/bin/false"], ["/nonexistent"], ["/bin/sh", "-c", "echo open >&2; exit 3"]];
    for (const argv of standing) {
      const within = { argv: ["/usr/bin/env"], ownsTree: false, standing: { argv, keeper: "/bin/true" } };
      assert.deepEqual(await run(root, "echo $0", { spec: { within } }), {
        code: 0,
        survivors: [],
        output: "/bin/bash\n",
      });
      await assert.rejects(run(root, "pwd", { spec: { within, cwd: "missing" } }), { failure: "not_a_directory" });
    }
  }));
