/** What commands can and cannot do inside bubblewrap. */
import assert from "node:assert/strict";
import { confinedTest, withBed } from "./bed.ts";

confinedTest("writes go to the write roots and the private temporary folder only", () =>
  // proves SBX-07, SBX-08
  withBed({
    before: "mkdir ws extra; echo old >neighbour; ln -s $PWD/neighbour ws/link; ln -s / ws/up",
    settings: ({ parent }) => ({
      writeRoots: [`${parent}/ws`, `${parent}/extra`, `${parent}/missing`],
    }),
  }, async ({ parent, run, outside }) => {
    const refused = [
      `echo x >${parent}/neighbour`,
      `echo x >link`,
      `echo x >up${parent}/neighbour`,
      `echo x >../neighbour`,
      `echo x >${parent}/new`,
      `mkdir ${parent}/missing`,
      `touch /etc/x /usr/x /root/x`,
      `touch ~/.bashrc`,
      `mv ${parent}/neighbour .`,
      `rm -f ${parent}/neighbour`,
      `ln ${parent}/neighbour stolen && echo x >stolen`,
      `mv ../ws ../moved`,
    ];
    for (const command of refused) assert.notEqual((await run(command)).code, 0, command);
    const ran = await run(`echo a >f; echo b >${parent}/extra/f; t=$(mktemp); echo c >$t; cat f ${parent}/extra/f $t`);
    assert.deepEqual(ran, { code: 0, output: "a\nb\nc\n" });
    assert.equal(await outside("cat neighbour; ls -A home"), "old\n");
    const [hint] = (await run(`echo x >${parent}/neighbour`)).wallHints!;
    assert.equal(hint!.code, "workspace.write_outside_scope");
    assert.match(hint!.text, /--add-dir.*allow_write/);
  }));

confinedTest("a home in the machine's /tmp is read like any other, and no more than read", () =>
  withBed({
    before: "mkdir home/keys; echo s >home/keys/id; printf '[user]\\nname=Me\\n' >home/.gitconfig",
    within: "/tmp",
    settings: ({ parent }) => ({ forbidRead: [`${parent}/home/keys`] }),
  }, async ({ run }) => {
    assert.deepEqual(await run("git config user.name; ls ~/keys"), { code: 0, output: "Me\n" });
    for (const command of ["touch ~/.bashrc", "cat ~/keys/id"]) assert.notEqual((await run(command)).code, 0, command);
  }));

confinedTest(
  "beside a workspace in the machine's /tmp nothing can be written, not even for show",
  () =>
    withBed({ before: "mkdir ws; echo old >neighbour", within: "/tmp" }, async ({ parent, run, outside }) => {
      for (const path of [`${parent}/new`, "../new", `${parent}/neighbour`]) {
        const { code, wallHints } = await run(`echo x >${path}`);
        assert.deepEqual([code === 0, wallHints?.[0]?.code], [false, "workspace.write_outside_scope"], path);
      }
      assert.deepEqual(await run("echo a >f; echo b >/tmp/t; cat f /tmp/t"), { code: 0, output: "a\nb\n" });
      assert.equal(await outside("ls -A; cat neighbour"), "home\nneighbour\nws\nold\n");
    }),
);

confinedTest(
  "what the program keeps where commands may write stays as it is, also where nothing is yet",
  () =>
    withBed({
      before: "mkdir -p home/.cache ws/state/sessions; echo said >ws/state/sessions/a.jsonl",
      settings: ({ parent, root }) => ({
        readOnlyPaths: [
          `${root}/state/sessions`,
          `${root}/state/memory`,
          `${parent}/home/.cache/own/deep`,
          `${parent}/elsewhere`,
        ],
      }),
    }, async ({ parent, root, run, outside }) => {
      const refused = [
        "echo more >>state/sessions/a.jsonl",
        "mkdir state/sessions/a.inbox",
        "echo x >state/memory/fact.md",
        "mv state/memory state/other",
        "ln -s ~/.bash_login ~/.cache/own/deep/index",
      ];
      for (const command of refused) {
        const { code, wallHints } = await run(command);
        assert.notEqual(code, 0, command);
        assert.doesNotMatch(wallHints?.[0]?.text ?? "", /git/, command);
      }
      const { wallHints } = await run(`touch ${root}/state/memory/fact.md`);
      assert.match(wallHints![0]!.text, /state\/memory is where Reasonix keeps its own files/);
      assert.deepEqual(await run("touch state/mine ~/.cache/mine"), { code: 0, output: "" });
      assert.equal(
        await outside("cd ws/state; find . ../../home/.cache -type f | sort; ls -A"),
        [
          "../../home/.cache/mine",
          "./mine",
          "./sessions/a.jsonl",
          "memory",
          "mine",
          "sessions",
          "",
        ].join("\n"),
      );
      await assert.rejects(Deno.lstat(`${parent}/elsewhere`), Deno.errors.NotFound);
    }),
);

confinedTest("the temporary folder is the session's own, shared by its commands", () =>
  withBed({}, async ({ run }) => {
    await using host = await temporary();
    await run("echo kept >/tmp/mine");
    const { output } = await run("cat /tmp/mine; ls /tmp; echo $TMPDIR $TMP $TEMP");
    assert.equal(output, "kept\nmine\n/tmp /tmp /tmp\n");
    assert.notEqual((await run(`ls ${host.path}`)).code, 0);
  }));

confinedTest(
  "a command that looks for a place of the machine's /tmp is told why it is not there",
  () =>
    withBed({}, async ({ run }) => {
      await using host = await temporary();
      const [hint] = (await run(`cat ${host.path}/x; ls ${host.path}`)).wallHints!;
      assert.match(hint!.text, new RegExp(`${host.path} of this machine cannot be seen there.*--add-dir`));
      assert.equal((await run("ls /tmp/nowhere")).wallHints, undefined);
      assert.equal((await run(`ls ${host.path} || true`)).wallHints, undefined);
    }),
);

confinedTest(
  "a program is shown what its own line names in the machine's /tmp, to read, but for what is forbidden",
  () =>
    withHostFolder((folder) =>
      withBed({ settings: () => ({ forbidRead: [`${folder}/secret`] }) }, async ({ processes }) => {
        const script = `cat "$0/data"; cat "$0/secret"; ls /tmp; echo x >"$0/new"`;
        const program = await processes.open({ argv: ["/bin/sh", "-c", script, folder] });
        await program.stdin.close();
        const [output] = await Promise.all([text(program.stdout), text(program.stderr), program.ended]);
        await program.close();
        assert.equal(output, `data\n${folder.slice("/tmp/".length)}\n`);
        assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name).sort(), ["data", "secret"]);
      })
    ),
);

async function withHostFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "reasonix-test-" });
  for (const name of ["data", "secret"]) await Deno.writeTextFile(`${folder}/${name}`, `${name}\n`);
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const text = (stream: ReadableStream<Uint8Array>) =>
  new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text();

async function temporary() {
  const path = await Deno.makeTempDir({ dir: "/tmp" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path) };
}

confinedTest("forbidden folders are empty, forbidden files cannot be opened, also through links and moves", () =>
  // proves SBX-09
  withBed({
    before:
      "mkdir -p ws/a/b keys; echo s >keys/id; echo s >ws/a/b/secret; echo s >ws/top; ln -s $PWD/keys ws/k; ln -s a/b/secret ws/l",
    settings: ({ parent }) => ({
      forbidRead: [`${parent}/keys`, `${parent}/ws/a/b/secret`, `${parent}/ws/top`, `${parent}/absent`],
      secretPaths: [`${parent}/keys/id`],
    }),
  }, async ({ parent, run }) => {
    assert.equal((await run(`ls -A ${parent}/keys; ls -A k/`)).output, "");
    for (const path of ["a/b/secret", "l", "top", `${parent}/keys/id`, "k/id", `/proc/self/root${parent}/ws/top`]) {
      const { code, output } = await run(`cat ${path}`);
      assert.deepEqual(
        [code, output.includes("Permission denied") || output.includes("No such file")],
        [1, true],
        path,
      );
    }
    const tricks = [
      "mv a c",
      "mv a/b d",
      "mv top t",
      "rm -f top",
      "ln top t",
      "cp top t",
      "chmod 644 top",
      "mount --bind a d",
    ];
    for (const command of tricks) assert.notEqual((await run(command)).code, 0, command);
    assert.notEqual((await run("cat a/b/secret c/b/secret d/secret t")).output, "s\n");
    assert.equal((await run("ls a/b; stat -c %s top")).output, "secret\n2\n");
    assert.notEqual((await run(`echo x >${parent}/keys/new`)).code, 0);
  }));

confinedTest("processes outside are out of sight and out of reach", () =>
  withBed({}, async ({ run }) => {
    const { output } = await run("cat /proc/[0-9]*/comm");
    const own = ["bwrap", "reasonix-keeper", "sh", "bash", "cat"];
    assert.deepEqual(output.trim().split("\n").filter((name) => !own.includes(name)), []);
    await run(`kill -9 ${Deno.pid} ${Deno.ppid}; ls /proc/${Deno.ppid}`);
    assert.equal((await run(`cat /proc/${Deno.pid}/environ`)).code, 1);
    assert.deepEqual(await run("kill -9 -1 2>/dev/null; echo alive"), { code: 0, output: "alive\n" });
    assert.deepEqual(await run("kill 0"), { code: 143, output: "" });
    assert.equal((await run("echo still")).output, "still\n");
  }));

confinedTest(
  "there are no powers to take the walls down with",
  () =>
    withBed({
      before: "mkdir ws hidden; echo s >hidden/x",
      settings: ({ parent }) => ({ forbidRead: [`${parent}/hidden`] }),
    }, async ({ parent, run }) => {
      assert.match(
        (await run("grep -E 'CapEff|NoNewPrivs' /proc/self/status")).output,
        /CapEff:\s+0+\nNoNewPrivs:\s+1\n/,
      );
      const attempts = [
        "mount -o remount,rw /",
        `umount ${parent}/hidden`,
        "mount -t tmpfs none /mnt",
        "echo 1 >/proc/sys/vm/drop_caches",
        "mknod d b 8 0",
        "touch /sys/kernel/x",
        "chroot / true",
      ];
      for (const command of attempts) assert.notEqual((await run(command)).code, 0, command);
    }),
);

confinedTest("root works in somebody else's workspace, and nowhere else", () =>
  withBed({
    before: `mkdir ws hidden; echo old >ws/f; echo s >hidden/x; echo old >neighbour
      [ $(id -u) != 0 ] || { chmod 700 ws; chown -R 1000 ws neighbour; }`,
    settings: ({ parent }) => ({ forbidRead: [`${parent}/hidden`] }),
  }, async ({ parent, run }) => {
    assert.deepEqual(await run("echo new >f; chmod 600 f; cat f"), { code: 0, output: "new\n" });
    const attempts = [
      `echo x >${parent}/neighbour`,
      `cat ${parent}/hidden/x`,
      "echo 1 >/proc/sys/vm/drop_caches",
      "mount -o remount,rw /",
      "unshare -m true",
      "mknod d b 8 0",
      `unshare -Urm sh -c 'mount -o remount,rw,bind /; echo x >${parent}/neighbour'; grep x ${parent}/neighbour`,
    ];
    for (const command of attempts) assert.notEqual((await run(command)).code, 0, command);
  }));

confinedTest(
  "user namespaces inside cannot take the walls down either",
  () =>
    withBed({
      before: "mkdir ws hidden; echo s >hidden/x",
      settings: ({ parent }) => ({ forbidRead: [`${parent}/hidden`] }),
    }, async ({ parent, run }) => {
      const inner =
        `mount -o remount,rw,bind / ; umount ${parent}/hidden; cat ${parent}/hidden/x; touch ${parent}/new /etc/new`;
      for (const outer of ["unshare -Urm sh -c", "bwrap --dev-bind / / sh -c", "unshare -Urmpf --mount-proc sh -c"]) {
        const { output } = await run(`${outer} '${inner}'`);
        assert.doesNotMatch(output, /^s$/m);
      }
      await assert.rejects(Deno.stat(`${parent}/new`), Deno.errors.NotFound);
    }),
);

confinedTest("without network only the sandbox's own loopback is there, and the refusal names the setting", () =>
  // proves SBX-10
  withBed({ settings: () => ({ network: false }) }, async ({ run }) => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const refused = await run(`exec 3<>/dev/tcp/127.0.0.1/${port}`);
    assert.equal(refused.code, 1);
    assert.match(refused.wallHints![0]!.text, /network = false/);
    assert.match((await run("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '")).output, /^lo\n$/);
    assert.equal((await run("getent hosts localhost >/dev/null && echo named")).output, "named\n");
    const own =
      'python3 -c \'import socket as s; l=s.create_server(("127.0.0.1",0)); s.create_connection(l.getsockname()); print("own")\'';
    assert.equal((await run(own)).output, "own\n");
  }));

confinedTest("the network is open when it is not cut", () =>
  withBed({}, async ({ run }) => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const accepted = listener.accept();
    assert.equal((await run(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo open`)).output, "open\n");
    (await accepted).close();
  }));

confinedTest("what left its session ends with the command", () =>
  withBed({}, async ({ root, processes }) => {
    const command = await processes.start({
      command: {
        shell:
          `setsid sh -c 'echo up >up; exec sleep ${SLEEP}3' & (setsid sleep ${SLEEP}4 &); trap '' TERM; sleep ${SLEEP}5`,
      },
    });
    while (!(await Deno.readTextFile(`${root}/up`).catch(() => "")).startsWith("up")) {
      await new Promise((r) => setTimeout(r, 10));
    }
    await command.kill();
    assert.deepEqual(await sleepers(), []);
    assert.deepEqual((await command.ended).survivors, []);
  }));

/** Of this run alone: another may be under way on the same machine. */
const SLEEP = 100_000 + crypto.getRandomValues(new Uint32Array(1))[0]! % 100_000;

async function sleepers(): Promise<string[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "stat=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) =>
    new RegExp(`^[^Z].* sleep ${SLEEP}[345]$`).test(line)
  );
}

confinedTest(
  "what outlives its shell lives on inside the walls until it is stopped",
  () =>
    withBed({}, async ({ processes, root }) => {
      let output = "";
      const late = `until [ -e go ]; do sleep 0.02; done; echo late; touch /etc/x; exec sleep ${SLEEP}3`;
      const command = await processes.start({
        command: { shell: `(${late}) & echo now` },
        onOutput: (bytes) => void (output += new TextDecoder().decode(bytes)),
      });
      const { code, survivors } = await command.ended;
      assert.deepEqual([code, survivors.length > 0, output], [0, true, "now\n"]);
      await Deno.writeTextFile(`${root}/go`, "");
      while (!output.endsWith("system\n")) await new Promise((done) => setTimeout(done, 10));
      assert.match(output, /^now\nlate\ntouch: .*Read-only file system\n$/);
      await command.kill();
      assert.deepEqual(await sleepers(), []);
    }),
);

confinedTest("exit codes and the stages of a pipeline come through", () =>
  withBed({}, async ({ run }) => {
    assert.deepEqual(await run("exit 7"), { code: 7, output: "" });
    assert.deepEqual(await run("false | true"), { code: 0, pipeStatus: [1, 0], output: "" });
    assert.deepEqual(await run("kill -9 $$"), { code: 137, output: "" });
    assert.equal((await run("pwd", { cwd: "." })).output.endsWith("/ws\n"), true);
  }));

confinedTest("a hundred commands at once do not disturb each other", () =>
  withBed({}, async ({ run }) => {
    const numbers = Array.from({ length: 100 }, (_, i) => i);
    const outputs = await Promise.all(numbers.map(async (i) => (await run(`echo ${i} | cat; [ $$ -lt 100 ]`)).output));
    assert.deepEqual(outputs, numbers.map((i) => `${i}\n`));
  }));

confinedTest("ordinary work gets its temporary folder, cache, home and names", () =>
  withBed({
    before: `mkdir -p ws .x; mkdir -p home/.cache home/.cargo/bin; echo x >home/.cargo/bin/cargo
      git config --global user.name n; git config --global user.email e@x
      mkdir -p ws/p && cd ws/p && echo '{"name":"p","version":"1.0.0"}' >package.json`,
    settings: () => ({ network: false }),
  }, async ({ root, run, outside }) => {
    assert.equal((await run("mktemp >/dev/null && python3 -m venv v && v/bin/python -c 'print(1)'")).output, "1\n");
    const commit =
      "unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL; git init -q . && git commit -q --allow-empty -m x && git log --format=%an";
    assert.equal((await run(commit)).output, "n\n");
    assert.equal((await run("echo x >~/.cache/new && cat ~/.cache/new")).output, "x\n");
    assert.equal(
      (await run(
        "npm --version >/dev/null && cd p && npm install --offline --no-audit --no-fund >/dev/null && echo ok",
      )).output,
      "ok\n",
    );
    for (const path of ["~/.bashrc", "~/.profile", "~/.cargo/bin/cargo", "~/.cargo/bin/new"]) {
      assert.notEqual((await run(`echo x >${path}`)).code, 0, path);
    }
    assert.equal(await outside(`ls -A home; ls -A ${root}/..`), ".cache\n.cargo\n.gitconfig\n.x\nhome\nws\n");
  }));

confinedTest(
  "sockets of the host are out of reach unless they are named",
  () =>
    withBed(
      { before: "mkdir -p ws home/.docker/run", settings: () => ({ hostAuthorities: [] }) },
      async ({ parent, run }) => {
        using listener = Deno.listen({ transport: "unix", path: `${parent}/home/.docker/run/docker.sock` });
        void listener;
        const dial =
          `python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("'$HOME/.docker/run/docker.sock'")'`;
        assert.notEqual((await run(dial)).code, 0);
        const { output } = await run("ls -A /run; ls -A /run/dbus /run/docker.sock 2>/dev/null");
        assert.equal(output.replace(/reasonix-(?:keeper|stages)\n/g, ""), "");
      },
    ),
);
