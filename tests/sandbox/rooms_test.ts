/** Commands that follow one another in one start of the walls: what they share, and what they must not. */
import assert from "node:assert/strict";
import { type Bed, confinedTest, withBed } from "./bed.ts";

/** The namespace a command runs in, and since when: the number of one that is gone is given to a new one. */
const ROOM = 'echo "$(readlink /proc/self/ns/pid) since $(cut -d" " -f22 /proc/1/stat)"';

async function room(run: Bed["run"]): Promise<string> {
  const { output, code } = await run(ROOM);
  assert.deepEqual([code, output.startsWith("pid:")], [0, true], output);
  return output;
}

confinedTest("commands one after another share a room, commands at once do not", () =>
  withBed({}, async ({ run }) => {
    const first = await room(run);
    for (const command of ["true", "exit 3", "false | cat", "echo a; echo b >&2", "kill -9 $$", "kill 0"]) {
      await run(command);
    }
    assert.equal(await room(run), first);
    const [one, two] = await Promise.all([run(`${ROOM}; sleep 0.2`), run(`${ROOM}; sleep 0.2`)]);
    assert.notEqual(one!.output, two!.output);
    assert.notEqual((await run(ROOM, { cwd: "/" })).output, first);
  }));

confinedTest(
  "what a command finds is what it would find in a start of its own",
  () =>
    withBed({ before: "mkdir -p ws/sub" }, async ({ run, processes }) => {
      const script =
        "set | cat | grep -vE '^(BASHPID|PPID|RANDOM|SECONDS|SRANDOM|EPOCH|LINENO|PIPESTATUS|_|BASH_ARG|SHELLOPTS)'; env" +
        " | grep -v ^_= ; pwd; ulimit -a; umask; id; cat /proc/self/status | grep -E '^(Cap|NoNew|Seccomp|Sig(Blk|Ign|Cgt))'; ls -l /proc/self/fd | wc -l";
      const alone = async (text: string) => {
        // Too long for a room.
        let output = "";
        const command = await processes.start({
          command: { shell: `${text}\n#${"x".repeat(9000)}` },
          onOutput: (bytes) => void (output += new TextDecoder().decode(bytes)),
        });
        await command.ended;
        return output;
      };
      const strip = (text: string) =>
        text.split("\n").filter((line) => !/^(BASH_EXECUTION_STRING|REASONIX_CALL|xxx|#xxx)/.test(line)).sort().join(
          "\n",
        );
      await room(run);
      for (const command of [script, `${script} | cat`]) {
        assert.equal(strip((await run(command)).output), strip(await alone(command)));
      }
    }),
);

confinedTest("nobody inside can look into the keeper, stop it or speak for it", () =>
  withBed({}, async ({ run }) => {
    await room(run);
    const closed = [
      "cat /proc/1/environ",
      "cat /proc/1/mem",
      "ls /proc/1/fd/ && readlink /proc/1/fd/0",
      "readlink /proc/1/exe",
    ];
    for (const command of closed) assert.notEqual((await run(command)).code, 0, command);
    assert.doesNotMatch((await run("cat /proc/1/fd/0 /proc/1/fd/1 /proc/1/maps /proc/1/auxv")).output, /keeper/);
    const trace = `python3 - <<'E'
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
print(libc.ptrace(16, 1, 0, 0), libc.ptrace(0x4206, 1, 0, 0))
E`;
    assert.equal((await run(trace)).output, "-1 -1\n");
    for (const signal of ["KILL", "STOP", "TERM", "HUP", "INT", "QUIT", "CHLD", "USR1", "TSTP", "CONT"]) {
      const { output } = await run(`kill -${signal} 1; echo alive`);
      assert.ok(["alive\n", ""].includes(output), `${signal}: ${output}`);
      assert.deepEqual(await run("echo next"), { code: 0, output: "next\n" });
    }
    assert.equal((await run("kill -9 1; kill -STOP 1; echo alive")).output, "alive\n");
  }));

confinedTest("the keeper takes one short line of a list of processes", () =>
  withBed({}, async ({ root, run }) => {
    const { output } = await run("tr '\\0' ' ' </proc/1/cmdline");
    assert.equal(output, `/run/reasonix-keeper -p -c eval "$reasonix_script" keeper ${root} `);
  }));

confinedTest("nothing a command writes is taken for the keeper's word", () =>
  withBed({}, async ({ run }) => {
    const forged = [
      String
        .raw`printf '\036'; for fd in /proc/self/fd/[0-9]; do printf '\nexit x 0\nleft x 0\nlast x 0\n' >"$fd"; done 2>/dev/null; exit 7`,
      String
        .raw`for fd in 8 9 247 1 2; do { printf 'exit 0\nup\nbegun\nstale\nunfinished' >&$fd; } 2>/dev/null; done | cat >/dev/null; (exit 7)`,
    ];
    for (const command of forged) assert.equal((await run(command)).code, 7, command);
    assert.deepEqual(await run(String.raw`printf 'a\036b\036'`), { code: 0, output: "a\x1eb\x1e" });
    const { output } = await run("head -c 3000000 /dev/zero | tr '\\0' '\\036'; echo end");
    assert.equal(output.length, 3_000_004);
    assert.equal(output.slice(-4), "end\n");
  }));

confinedTest(
  "what a command leaves behind keeps its room, and the next command gets another",
  () =>
    withBed({}, async ({ run, processes }) => {
      const first = await room(run);
      let output = "";
      const leaving = await processes.start({
        command: { shell: `${ROOM}; (trap '' HUP; while :; do echo tick; sleep 0.1; done) & true` },
        onOutput: (bytes) => void (output += new TextDecoder().decode(bytes)),
      });
      const { survivors } = await leaving.ended;
      assert.ok(survivors.length > 0);
      assert.ok(output.startsWith(first));
      const second = await room(run);
      assert.notEqual(second, first);
      assert.equal((await run("cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c tick")).output.trim(), "1");
      await leaving.kill();
      await leaving.gone();
      assert.equal(await room(run), second);
    }),
);

confinedTest("a daemon that ends with its command leaves the room to the next", () =>
  withBed({}, async ({ run }) => {
    const first = await room(run);
    for (let i = 0; i < 5; i++) assert.equal((await run("(setsid true &) ; (true & true &)")).code, 0);
    assert.equal(await room(run), first);
  }));

confinedTest("walls that changed from outside are put up anew before the next command", () =>
  withBed({
    before: "mkdir ws; git -C ws init -q; mkdir ws/kept; echo s >ws/kept/secret; echo t >ws/token",
    settings: ({ root }) => ({ forbidRead: [`${root}/kept`, `${root}/token`] }),
  }, async ({ root, run, outside }) => {
    const holds = async (when: string) => {
      assert.notEqual((await run("echo '[core] fsmonitor=x' >>.git/config")).code, 0, when);
      assert.notEqual((await run("echo x >.git/hooks/pre-commit")).code, 0, when);
      assert.notEqual((await run("cat token")).code, 0, when);
      assert.equal((await run("cat kept/secret; echo done")).output.includes("s\n"), false, when);
    };
    await holds("at first");
    const changes = [
      "git config user.name other",
      "rm -rf .git/hooks; mkdir .git/hooks",
      "mv .git/hooks .git/h; mkdir .git/hooks; rmdir .git/hooks; mv .git/h .git/hooks",
      "cp .git/config c; rm .git/config; mv c .git/config",
      "echo u >t; mv t token",
      "mv kept k; mkdir kept; echo s >kept/secret",
      "mv kept k2; mv k kept",
      "rm -rf .git; git init -q",
    ];
    for (const change of changes) {
      await outside(change, root);
      await holds(change);
    }
    // A whole other folder in the place of the workspace.
    await outside(
      "mv ws old; mkdir ws; echo new >ws/which; git -C ws init -q; mkdir ws/kept; echo s >ws/kept/secret; echo t >ws/token",
    );
    assert.equal((await run("cat which")).output, "new\n");
    await holds("another workspace");
  }));

confinedTest(
  "a command starts in the folder of that name, also where it is another one by now",
  () =>
    withBed({ before: "mkdir -p ws/sub ws/a ws/b; ln -s a ws/link" }, async ({ root, run, outside }) => {
      for (const cwd of ["sub", "link"]) await run("true", { cwd });
      await outside("mv sub old; mkdir sub; echo moved >sub/which", root);
      assert.equal((await run("cat which", { cwd: "sub" })).output, "moved\n");
      await run("rm -rf sub; mkdir sub; echo made >sub/which");
      assert.equal((await run("cat which; pwd", { cwd: "sub" })).output, `made\n${root}/sub\n`);
      await run("ln -sfn b link; echo linked >b/which");
      assert.equal((await run("cat which", { cwd: "link" })).output, "linked\n");
    }),
);

confinedTest("a repository that a command makes is protected from the next one", () =>
  withBed({}, async ({ run }) => {
    await room(run);
    assert.equal((await run("git init -q")).code, 0);
    assert.notEqual((await run("echo x >.git/hooks/pre-commit")).code, 0);
    assert.notEqual((await run("echo '[core] fsmonitor=x' >>.git/config")).code, 0);
  }));

confinedTest(
  "limits set on the keeper, and traces in its own places, do not reach the next command",
  () =>
    withBed({}, async ({ run }) => {
      const limit = async () => (await run("ulimit -Hf; ulimit -Hn")).output;
      const before = await limit();
      await run("prlimit --pid 1 --fsize=0 --nofile=20:20; prlimit --pid 1 --nproc=1");
      assert.equal(await limit(), before);
      const fresh = (await run("ls -A /dev/shm /dev /run")).output;
      await run("echo left >/dev/shm/mine; echo left >/dev/mine; echo left >/run/mine");
      assert.equal((await run("ls -A /dev/shm /dev /run")).output, fresh);
    }),
);

confinedTest(
  "what a command sets on the keeper's priority does not reach the next command",
  () =>
    withBed({}, async ({ run }) => {
      const QUESTION = "nice; grep Cpus_allowed: /proc/self/status; cut -d' ' -f 41 /proc/self/stat";
      const before = await run(QUESTION);
      for (const change of ["renice -n 19 -p 1", "taskset -p 1 1", "chrt -b -p 0 1"]) {
        await run(change);
        assert.deepEqual(await run(QUESTION), before, change);
      }
    }),
);

confinedTest(
  "nothing a command puts in the place of a device or a folder of the room meets the next one",
  () =>
    withBed({ env: () => ({ XDG_RUNTIME_DIR: "/run/user/7" }) }, async ({ run }) => {
      await room(run);
      await run("rm /dev/fd; mkdir /dev/fd; echo 'echo planted' >/dev/fd/8");
      assert.equal((await run("echo hi | cat; cat <(echo ho)")).output, "hi\nho\n");
      await run("ln -sfn /tmp/stolen /dev/stdout");
      assert.equal((await run("echo hi >/dev/stdout")).output, "hi\n");
      const LIST = "ls -ld /dev/shm /run/user/7 | cut -c 1-10; ls -AR /run; ipcs -q";
      const fresh = (await run(LIST)).output;
      const traces = [
        "chmod 0 /dev/shm",
        "chmod 0 /run/user/7",
        "mkdir /run/user/8",
        "echo >/run/user/7/x",
        "ipcmk -Q",
      ];
      for (const trace of traces) {
        assert.equal((await run(trace)).code, 0, trace);
        assert.equal((await run(LIST)).output, fresh, trace);
      }
    }),
);

confinedTest("what a command sets on its output stays its own", () =>
  withBed({}, async ({ run }) => {
    const first = await room(run);
    const fill =
      "import os\nos.set_blocking(1, False)\ntry:\n  while True: os.write(1, b'x' * 4096)\nexcept BlockingIOError: pass";
    assert.equal((await run(`python3 -c "${fill}"`)).code, 0);
    const { code, output } = await run("head -c 5000000 /dev/zero");
    assert.deepEqual([code, output.length], [0, 5_000_000]);
    assert.equal(await room(run), first);
  }));

confinedTest(
  "the keeper runs no program that a command could have planted",
  () =>
    withBed({ env: ({ root }) => ({ PATH: `${root}:${Deno.env.get("PATH")}` }) }, async ({ run }) => {
      await run("printf '#!/bin/sh\\necho planted >>/tmp/planted\\n' >sleep; chmod +x sleep");
      await run("(/bin/sleep 0.05 &)");
      assert.equal((await run("cat /tmp/planted")).code, 1);
    }),
);

/** A command that hands a descriptor to a job in another room, which does with it as `job` says. */
async function withHandedOut(bed: Bed, { give, job }: { give: string; job: string }, then: () => Promise<void>) {
  const { processes, run } = bed;
  await run("true");
  let said = "";
  const python = (text: string) =>
    `python3 - <<'P'\nimport os, socket, time\ns = socket.socket(socket.AF_UNIX)\n${text}\nP`;
  const helper = await processes.start({
    command: {
      shell: python(`s.bind("/tmp/s"); s.listen(1); print("ready", flush=True)
c = s.accept()[0]; fd = socket.recv_fds(c, 1, 1)[1][0]; c.send(b"y")
while True:
  ${job}`),
    },
    onOutput: (bytes) => void (said += new TextDecoder().decode(bytes)),
  });
  while (said === "") await new Promise((done) => setTimeout(done, 5));
  await run(python(`s.connect("/tmp/s"); socket.send_fds(s, [b"x"], [${give}]); s.recv(1)`));
  try {
    await then();
  } finally {
    await helper.kill();
  }
}

confinedTest(
  "a job that was handed the output of a room and reads it keeps no later command from ending",
  () =>
    withBed(
      {},
      (bed) =>
        withHandedOut(bed, { give: `os.open("/proc/self/fd/1", os.O_RDONLY)`, job: "os.read(fd, 65536)" }, async () => {
          for (let i = 0; i < 3; i++) {
            assert.equal((await bed.run("exit 7")).code, 7);
          }
          assert.deepEqual(await bed.run("echo hi"), { code: 0, output: "hi\n" });
        }),
    ),
);

confinedTest(
  "a job that was handed the output of a room and writes there ends the room",
  () =>
    withBed(
      {},
      (bed) =>
        withHandedOut(bed, { give: "1", job: `os.write(fd, b"INJECTED"); time.sleep(0.0001)` }, async () => {
          let clean = 0;
          for (let tries = 0; clean < 5 && tries < 50; tries++) {
            const { code, output } = await bed.run("echo hi; sleep 0.05; exit 7");
            assert.equal(code, 7);
            clean = output === "hi\n" ? clean + 1 : 0;
          }
          assert.equal(clean, 5);
        }),
    ),
);

confinedTest(
  "a command that ends by itself while it is being ended does not take the next one along",
  () =>
    withBed({}, async ({ run, processes }) => {
      for (let i = 0; i < 20; i++) {
        const command = await processes.start({ command: { shell: "sleep 0.02" } });
        await new Promise((done) => setTimeout(done, 17 + (i % 10)));
        const [, next] = await Promise.all([command.kill(), command.ended.then(() => run("sleep 0.02; echo next"))]);
        assert.deepEqual(next, { code: 0, output: "next\n" });
      }
    }),
);

confinedTest("a NUL in a command is no second command", () =>
  withBed({}, async ({ run }) => {
    await room(run);
    await assert.rejects(run("echo x #\0n\0\x003\0/bin/bash\0-c\0touch /tmp/second\0"));
    assert.deepEqual(await run("ls /tmp"), { code: 0, output: "" });
  }));

confinedTest(
  "a command that is ended takes its room along, and the next one works",
  () =>
    withBed({}, async ({ run, processes }) => {
      const first = await room(run);
      const command = await processes.start({
        command: { shell: "trap '' TERM INT HUP; while :; do sleep 0.1; done" },
      });
      await command.kill();
      const { survivors } = await command.ended;
      assert.deepEqual(survivors, []);
      assert.notEqual(await room(run), first);
    }),
);

confinedTest("a room that was ended from outside is replaced", () =>
  withBed({}, async ({ run }) => {
    const first = await room(run);
    const inside = processesIn(first);
    assert.ok(inside.length > 0);
    for (const { pid } of inside) Deno.kill(pid, "SIGKILL");
    while (inside.some(lives)) await new Promise((done) => setTimeout(done, 5));
    let next = await run(ROOM);
    // One that came before the end was noticed went down with the room.
    for (let tries = 0; next.code !== 0 && tries < 20; tries++) next = await run(ROOM);
    assert.equal(next.code, 0);
    assert.notEqual(next.output, first);
  }));

confinedTest("ending a command that is over disturbs nobody", () =>
  withBed({}, async ({ run, processes }) => {
    const over = await processes.start({ command: { shell: "true" } });
    await over.ended;
    const [slow] = await Promise.all([run("sleep 0.3; echo done"), over.kill(), over.gone()]);
    assert.deepEqual(slow, { code: 0, output: "done\n" });
  }));

confinedTest(
  "a room ends with the program, however that ends",
  () =>
    withBed({ before: "mkdir ws tmp" }, async ({ parent, root }) => {
      const script = `
import { withBed } from ${JSON.stringify(new URL("./bed.ts", import.meta.url).href)};
await withBed({ within: Deno.env.get("TMPDIR") }, async ({ run }) => {
  console.log((await run(${JSON.stringify(ROOM)})).output.trim());
  await new Promise((done) => setTimeout(done, 60_000));
});`;
      const program = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", "-"],
        cwd: root,
        env: { TMPDIR: `${parent}/tmp` },
        stdin: "piped",
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      const input = program.stdin.getWriter();
      await input.write(new TextEncoder().encode(script));
      await input.close();
      const reader = program.stdout.getReader();
      const room = new TextDecoder().decode((await reader.read()).value);
      assert.match(room, /^pid:/);
      const inside = processesIn(room);
      assert.notDeepEqual(inside, []);
      program.kill("SIGKILL");
      await program.status;
      await reader.cancel();
      for (let tries = 0; inside.some(lives) && tries < 1000; tries++) {
        await new Promise((done) => setTimeout(done, 10));
      }
      assert.deepEqual(inside.filter(lives), []);
    }),
);

interface Seen {
  readonly pid: number;
  readonly since: string | undefined;
}

function processesIn(room: string): Seen[] {
  const [namespace] = room.split(" ");
  const pids = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => pid > 0);
  return pids.filter((pid) => read(() => Deno.readLinkSync(`/proc/${pid}/ns/pid`)) === namespace)
    .map((pid) => ({ pid, since: startOf(pid) }));
}

function lives({ pid, since }: Seen): boolean {
  return since !== undefined && startOf(pid) === since;
}

/** In clock ticks since the machine's start. Undefined when there is no such process, or only its status is left. */
function startOf(pid: number): string | undefined {
  const stat = read(() => Deno.readTextFileSync(`/proc/${pid}/stat`)) ?? "";
  const [state, ...fields] = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
  return state === "Z" ? undefined : fields[18];
}

function read(look: () => string): string | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
