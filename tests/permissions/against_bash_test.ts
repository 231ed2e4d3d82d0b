/**
 * The analysis against bash itself: random texts run in a box where no program exists and every call is only written
 * down. Whatever bash calls, the analysis has found, or it has said that it did not understand the line.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { analyze } from "../support/permissions.ts";

const BOX = [
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--unshare-pid",
  "--unshare-net",
  "--die-with-parent",
];

/** Each call is one write, with the number of its text: what runs in the background may still write during the next. */
const HANDLER = `exec 9>&2
command_not_found_handle() {
  printf 'CALL\\x1f%s\\x1f%s\\x1e' "$AT" "\${1//$'\\n'/$'\\x1c'}" >&9
  return 0
}
`;

const DRIVER = `export AT=0
while IFS= read -r -d '' text; do
  BASH_ENV=/mnt/handler PATH=/nowhere /usr/bin/timeout 0.5 /bin/bash -c "$text" 2>&1 >/dev/null </dev/null
  AT=$((AT + 1))
done < /mnt/texts
`;

async function boxWorks(): Promise<boolean> {
  try {
    const { success } = await new Deno.Command("bwrap", {
      args: [...BOX, "--", "/bin/bash", "-c", "/usr/bin/timeout 1 true"],
    })
      .output();
    return success;
  } catch {
    return false;
  }
}

const text = fc.array(
  fc.constantFrom(
    ..."ab $`'\"\\(){}[]<>|&;\n\r\t#!*?=:@,-".split(""),
    ...["a ", "b ", "$(", "`", "'", '"', "\n", "; ", "&& ", "|| ", "| ", "${a:-", "{ ", "; }", "if ", "then ", "fi "],
    ...["do ", "done ", "for a in ", "while ", "case a in ", "esac ", ";;", "a() ", "((", "))", "[[ ", " ]]", "$(("],
    ...["<(", ">(", "$'", '$"', "eval ", "time ", "! ", "coproc ", "<<'a'\n", "\na\n", "<<-b\n", "\tb\n", "<<<"],
  ),
  { minLength: 1, maxLength: 14 },
).map((pieces) => pieces.join(""));

Deno.test({
  name: "bash calls nothing that the analysis has not found",
  ignore: Deno.build.os !== "linux" || !(await boxWorks()),
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      const texts = fc.sample(text, 400);
      await Deno.writeTextFile(`${folder}/handler`, HANDLER);
      await Deno.writeTextFile(`${folder}/driver`, DRIVER);
      await Deno.writeTextFile(`${folder}/texts`, texts.map((one) => one + "\0").join(""));
      const args = [
        ...BOX,
        "--tmpfs",
        "/tmp",
        "--ro-bind",
        folder,
        "/mnt",
        "--chdir",
        "/tmp",
        "/bin/bash",
        "/mnt/driver",
      ];
      const { stdout } = await new Deno.Command("bwrap", { args, stdin: "null", stderr: "null" }).output();
      const calls = new TextDecoder().decode(stdout).matchAll(/CALL\x1f(\d+)\x1f([^\x1e]*)\x1e/g);
      const calledBy = Map.groupBy(calls, ([, at]) => Number(at));
      const missed = texts.flatMap((one, i) => {
        const called = calledBy.get(i)?.map(([, , name]) => name!.replaceAll("\x1c", "\n")) ?? [];
        const { complete, commands } = analyze(one);
        const found = commands.flatMap(({ layers }) => layers.map(({ words }) => words[0]!.value));
        const known = (name: string) => found.some((value) => value === name || value.includes("\0"));
        return complete && !called.every(known) ? [{ text: one, called, found }] : [];
      });
      assert.deepEqual(missed, []);
      assert.ok(calledBy.size > 0, "the box wrote nothing down");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
