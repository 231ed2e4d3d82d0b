import assert from "node:assert/strict";
import { verdict } from "../../../tests/support/permissions.ts";
import { WRAPPERS } from "./wrappers.ts";

/** How each wrapper is called with `%` for the program; by default its name, its verbs and the words it wants before. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  env: ["env %", "env -i A=b C=d %", "env -u X --chdir=/x %", "env -S '%'", "env - %"],
  sudo: ["sudo %", "sudo -u root -n %", "sudo -E A=b %", "sudo -- %", "sudo --user=root %"],
  timeout: ["timeout 9 %", "timeout -k 1 -s KILL 9 %", "timeout --signal=KILL 9s %"],
  nice: ["nice %", "nice -n 5 %", "nice -5 %", "nice --adjustment=5 %"],
  stdbuf: ["stdbuf -oL %", "stdbuf --output=L -e 0 %"],
  xargs: ["echo x | xargs %", "xargs -0 -n 1 %", "xargs -I{} %", "xargs -P4 %", "xargs --max-args=1 %"],
  command: ["command %", "command -p %", "command -- %"],
  exec: ["exec %", "exec -a name %", "exec -cl %"],
  time: ["time %", "time -p %", "\\time -o f %", "/usr/bin/time -v %"],
  su: ["su root -c '%'", "su -c '%'", "su - root -c '%'", "su --command='%'"],
  flock: ["flock f %", "flock -n f %", "flock f -c '%'"],
  script: ["script -c '%' f", "script -qc '%'"],
  npx: ["npx %", "npx -y %", "npx -p x %", "npx -c '%'"],
  setsid: ["setsid %", "setsid -w %"],
  watch: ["watch %", "watch -n 1 '%'"],
  parallel: ["parallel %", "ls | parallel -j 4 '%'"],
  busybox: ["busybox %", "/bin/busybox %"],
  taskset: ["taskset 1 %", "taskset -c 0 %"],
  "systemd-run": ["systemd-run --user --scope %"],
};

function callsOf(name: string): readonly string[] {
  const wrapper = WRAPPERS.get(name)!;
  if (CALLS[name]) return CALLS[name];
  return (wrapper.verbs ?? [[]]).map((verb) =>
    [name, ...verb, ...Array.from({ length: wrapper.before ?? 0 }, () => "1"), "%"].join(" ")
  );
}

Deno.test("a deny rule sees the program behind every known wrapper", () => {
  const missed = [...WRAPPERS.keys()].flatMap(callsOf)
    .map((call) => call.replace("%", "pnpm publish --now"))
    .filter((command) => verdict({ deny: ["Bash(pnpm publish:*)"], allow: ["Bash"] }, command) !== "deny");
  assert.deepEqual(missed, []);
});

Deno.test("wrappers around wrappers, paths and assignments hide nothing", () => {
  const deny = ["Bash(rm:*)"];
  const commands = [
    "sudo env A=b nice -n 5 timeout 3 stdbuf -oL rm x",
    "A=b nohup /usr/bin/env -i /bin/rm x &",
    "command command builtin command rm x",
    "exec sudo -u root -- bash -c 'nice rm x'",
    "env sudo --unknown-option rm x",
    "find . -name x | xargs -0 -I{} sh -c 'rm {}'",
    "find . -exec rm {} +",
    "find . -exec sh -c 'rm \"$1\"' _ {} ;".replace(" ;", " \\;"),
    "find . -exec sudo nice rm {} +",
    "sudo --unknown-option sh -c 'rm x'",
    "fd x -x rm",
    "X=rm; $X x",
    "{rm,x}",
    "rm.exe x",
    "docker run --rm image rm x",
  ];
  assert.deepEqual(commands.map((command) => [command, verdict({ deny }, command)]), [
    ...commands.slice(0, -1).map((command) => [command, "deny"]),
    // Nobody told what `docker` does with its words: a person looks.
    ["docker run --rm image rm x", "person"],
  ]);
});

Deno.test("what standard input fills in may be the program, or complete the denied call", () => {
  const denied = (command: string) =>
    verdict({ deny: ["Bash(rm:*)", "Bash(git push:*)"] }, command, { fallback: "allow" });
  for (
    const command of [
      "echo rm x | xargs env",
      "echo rm x | xargs sudo",
      "echo rm x | xargs nice -n 5",
      "echo rm x | xargs timeout 5",
      "echo rm x | xargs busybox",
      "echo rm x | xargs xargs",
      "echo rm | xargs -I{} {} x",
      "echo rm | xargs -I % % x",
      "echo rm | xargs --replace {} x",
      "echo r | xargs -I@ env @m x",
      "echo push | xargs git",
      "echo push | xargs -I{} git {} origin",
      "echo rm x | parallel",
      "at now <<< 'nothing'",
      "make -f - <<< 'a:;rm x'",
    ]
  ) assert.equal(denied(command), "person", command);
  for (const command of ["echo x | xargs", "ls | xargs cat", "ls | xargs -I{} cp {} d", "echo x | xargs git add"]) {
    assert.equal(denied(command), "allow", command);
  }
});

Deno.test("a variable whose value is a program hides no denied call", () => {
  const denied = (command: string) => verdict({ deny: ["Bash(rm:*)"] }, command, { fallback: "allow" });
  for (
    const command of [
      "GIT_EDITOR='rm x' git commit",
      "GIT_SSH_COMMAND='rm x' git fetch",
      "env PAGER='rm x' git -p log",
      "export EDITOR='sudo rm x'; crontab -e",
      "git log | LESSOPEN='|rm %s' less x",
      "make SHELL=/bin/rm",
      "BASH_ENV='$(rm x)' bash f",
      "env 'BASH_FUNC_ls%%=() { ls; }' rm x",
    ]
  ) assert.equal(denied(command), "deny", command);
  for (const command of ["GIT_EDITOR=true git rebase --continue", "EDITOR='vi -e' git commit", "X='rm x' make"]) {
    assert.equal(denied(command), "allow", command);
  }
});

Deno.test("an allow rule reaches through harmless wrappers, and through no other", () => {
  const covered = (rule: string, command: string) => verdict({ allow: [rule] }, command) === "allow";
  const harmless = [
    "timeout 9 %",
    "nohup %",
    "nice -n 5 %",
    "time %",
    "stdbuf -oL %",
    "setsid %",
    "command %",
    "ionice %",
  ];
  for (const call of harmless) assert.ok(covered("Bash(npm test:*)", call.replace("%", "npm test")), call);
  const other = [
    "sudo %",
    "env %",
    "xargs %",
    "exec %",
    "chroot d %",
    "npx %",
    "busybox %",
    "time -o f %",
    "nice time -o f %",
    "./nohup %",
  ];
  for (const call of other) assert.ok(!covered("Bash(npm test:*)", call.replace("%", "npm test")), call);
});

Deno.test("a rule for a wrapper alone says nothing of what it runs", () => {
  const answers = [
    ["Bash(nohup:*)", "nohup sleep 120 > /dev/null &"],
    ["Bash(sudo:*)", "sudo rm x"],
    ["Bash(env:*)", "env rm x"],
    ["Bash(timeout 5:*)", "timeout 5 rm x"],
    ["Bash(sudo chmod:*)", "sudo chmod +x f"],
    ["Bash(nohup sleep:*)", "nohup sleep 120"],
    ["Bash(timeout 5 make:*)", "timeout 5 make x"],
    ["Bash(sudo chmod +x f)", "sudo chmod +x f"],
  ].map(([rule, command]) => verdict({ allow: [rule!] }, command!));
  assert.deepEqual(answers, ["ask", "ask", "ask", "ask", "allow", "allow", "allow", "allow"]);
});

Deno.test("an unknown program whose arguments read like a denied command needs a person, who is told why", () => {
  const rules = { allow: ["Bash(pnpm:*)"], deny: ["Bash(pnpm publish:*)"] };
  assert.equal(verdict(rules, "mywrap pnpm publish", { fallback: "allow" }), "person");
  assert.equal(verdict(rules, "mywrap --flag x pnpm publish --now", { fallback: "allow" }), "person");
  for (
    const command of [
      "ssh host 'cd x; pnpm publish'",
      "docker run image sh -c 'pnpm publish'",
      "mywrap --run='pnpm publish'",
      "mywrap other sh -c 'mywrap \"pnpm publish\"'",
      "git -c alias.x='!pnpm publish' x",
      "git rebase -x 'pnpm publish' main",
    ]
  ) assert.equal(verdict(rules, command, { fallback: "allow" }), "person", command);
  assert.equal(verdict(rules, "mywrap pnpm test", { fallback: "allow" }), "allow");
  assert.equal(verdict(rules, "git commit -m 'pnpm publish'", { fallback: "allow" }), "allow");
  assert.equal(verdict(rules, "echo pnpm publish"), "allow");
  // Not even a rule for the unknown program says that it may run what is denied.
  const both = { ...rules, allow: ["Bash(mywrap:*)"] };
  assert.equal(verdict(both, "mywrap pnpm publish"), "person");
  assert.equal(verdict(both, "mywrap pnpm test"), "allow");
  assert.equal(verdict({ ...rules, allow: ["Bash=mywrap pnpm publish"] }, "mywrap pnpm publish"), "allow");
});
