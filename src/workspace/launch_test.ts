import assert from "node:assert/strict";
import { hasBwrap } from "../../tests/support/programs.ts";
import { hasPipeline, launch, parseControl } from "./launch.ts";
import { rewriteNul, windowsLaunch } from "./windows_launch.ts";

const bash = { name: "bash", path: "/bin/bash" };

Deno.test("the command text reaches the shell as it is", () => {
  const shell = "echo 'a' # note\npwd";
  assert.deepEqual(launch({ command: { shell }, shell: bash }), {
    argv: ["/bin/sh", "-c", 'reasonix_report=$1; shift\nexec "$@" 2>&1', "sh", "", "/bin/bash", "-c", shell],
    env: {},
    control: false,
  });
});

Deno.test("a wall stands before the launcher", () => {
  const within = { argv: ["wall", "--"], ownsTree: false };
  const { argv, control } = launch({ command: { argv: ["ls"] }, shell: bash, within });
  assert.deepEqual([argv.slice(0, 4), argv.at(-1), control], [["wall", "--", "/bin/sh", "-c"], "ls", true]);
});

/** A process namespace whose first process does what `first` says beside the launcher. */
function namespace(first: string) {
  const walls = [
    "--unshare-user",
    "--unshare-pid",
    "--as-pid-1",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
  ];
  return { argv: ["bwrap", ...walls, "--", "/bin/sh", "-c", `"$@" & ${first}; wait $!`, "sh"], ownsTree: true };
}

async function ran(request: Parameters<typeof launch>[0], env: Record<string, string> = {}) {
  const { argv, env: own } = launch(request);
  const { stdout, stderr } = await new Deno.Command(argv[0]!, { args: argv.slice(1), env: { ...env, ...own } })
    .output();
  const [output, control] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { output, control };
}

Deno.test({
  name: "a confined command begins only when the first process of its namespace rests, bound to our life",
  ignore: !hasBwrap,
  async fn() {
    const within = namespace("i=0; while [ $((i += 1)) -lt 100000 ]; do :; done; echo bound >&2");
    const { output, control } = await ran({ command: { shell: "echo begun" }, shell: bash, within });
    assert.deepEqual([output, control], ["begun\n", "bound\nup\n"]);
  },
});

Deno.test({
  name: "no variable of the environment reaches the command changed",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const names = ["r", "n", "s", "base", "count", "state"];
    const env = Object.fromEntries(names.map((name) => [name, `my ${name}`]));
    const shell = `${names.map((name) => `echo "$${name}"`).join("; ")} | cat`;
    const walls = [undefined, { argv: ["env"], ownsTree: false }, ...(hasBwrap ? [namespace(":")] : [])];
    for (const within of walls) {
      const { output } = await ran({ command: { shell }, shell: bash, ...(within ? { within } : {}) }, env);
      assert.equal(output, names.map((name) => `my ${name}\n`).join(""));
    }
  },
});

Deno.test("only a single bar makes a pipeline", () => {
  const texts = ["a | b", "a|b", "a |& b", "a || b", "a && b", "|", "a || b | c"];
  assert.deepEqual(texts.map(hasPipeline), [true, true, true, false, false, true, true]);
});

Deno.test("facts are read from the control channel, noise is not", () => {
  assert.deepEqual(parseControl("up\npipe 1 0 \nTerminated\nexit 3\n"), {
    up: true,
    before: "",
    pipeStatus: [1, 0],
    exit: 3,
  });
  assert.deepEqual(parseControl("wall: cannot\nup\npipe 0 \nexit 1"), { up: true, before: "wall: cannot" });
  assert.deepEqual(parseControl("wall: no uid map\n"), { up: false, before: "wall: no uid map" });
});

Deno.test("a redirect to nul under a Unix-like shell on Windows goes to the null device", () => {
  const rewritten = {
    "echo a >nul": "echo a >/dev/null",
    "echo a 2>NUL": "echo a 2>/dev/null",
    "a > Nul 2>&1; b": "a > /dev/null 2>&1; b",
    "a &>>nul|b": "a &>>/dev/null|b",
    "a <nul)": "a </dev/null)",
  };
  const untouched = [
    'cmd /c "dir >nul"',
    "echo '2>nul'",
    "grep nullable f >nullable",
    "echo \\>nul",
    "echo nul",
    "a >nul.txt",
    "a >./nul/b",
    'echo "\\" >nul"',
  ];
  for (const [text, expected] of Object.entries(rewritten)) assert.equal(rewriteNul(text), expected);
  for (const text of untouched) assert.equal(rewriteNul(text), text);
});

Deno.test("nothing is rewritten where nul is an ordinary name", () => {
  assert.equal(launch({ command: { shell: "echo a >nul" }, shell: bash }).argv.at(-1), "echo a >nul");
  assert.equal(windowsLaunch({ command: { shell: "echo a >nul" }, shell: bash }).argv.at(-1), "echo a >/dev/null");
});

Deno.test("PowerShell is asked for UTF-8 and for no profile", () => {
  const shell = { name: "pwsh", path: "C:\\pwsh.exe" };
  const { argv } = windowsLaunch({ command: { shell: "ls" }, shell });
  assert.deepEqual(argv.slice(0, 5), ["C:\\pwsh.exe", "-NoLogo", "-NoProfile", "-NonInteractive", "-Command"]);
  assert.match(argv[5]!, /UTF8Encoding.*; ls$/);
});
