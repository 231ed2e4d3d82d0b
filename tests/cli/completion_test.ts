/** Completion scripts in the shells they are for. Missing shells: install the Debian packages `zsh` and `fish`. */
import assert from "node:assert/strict";
import { Bed, program } from "../support/program.ts";
import { works } from "../support/programs.ts";

const has = (shell: string) => works(shell, "-c", ":");

/** A program called `reasonix` on a path of its own, and a shell that has it. */
async function inShell(shell: readonly string[], script: string): Promise<string> {
  await using bed = await Bed.create();
  await Deno.mkdir(`${bed.base}/bin`);
  const words = program.map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(`${bed.base}/bin/reasonix`, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const { stdout, stderr } = await new Deno.Command(shell[0]!, {
    args: [...shell.slice(1), script],
    cwd: bed.workspace,
    clearEnv: true,
    env: bed.env({ PATH: `${bed.base}/bin:${Deno.env.get("PATH")}` }),
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return text.decode(stdout) + text.decode(stderr);
}

Deno.test({
  name: "bash completes commands, flags and their values",
  ignore: !has("bash"),
  fn: async () => {
    const ask = (line: string) =>
      `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _reasonix; echo "\${COMPREPLY[*]}"`;
    const out = await inShell(
      ["bash", "--norc", "-c"],
      [
        `source <(reasonix completion bash)`,
        ask("reasonix doc"),
        ask("reasonix config com"),
        ask("reasonix run --output-format str"),
        ask("reasonix session --pro"),
        `complete -p reasonix`,
      ].join("\n"),
    );
    assert.equal(
      out,
      "doctor\ncompact-ratio\nstream-json\n--project-root\ncomplete -o filenames -F _reasonix reasonix\n",
    );
  },
});

Deno.test({
  name: "zsh takes the script and asks the program",
  ignore: !has("zsh"),
  fn: async () => {
    const out = await inShell(
      ["zsh", "-f", "-c"],
      [
        `autoload -Uz compinit && compinit -u -d $HOME/.zcompdump`,
        `source <(reasonix completion zsh)`,
        `print -- $_comps[reasonix]`,
        `compadd() { shift; print -- "$@" }`,
        `words=(reasonix doc); CURRENT=2; _reasonix`,
        `words=(reasonix upgrade --che); CURRENT=3; _reasonix`,
      ].join("\n"),
    );
    assert.equal(out, "_reasonix\ndoctor\n--check\n");
  },
});

Deno.test({
  name: "fish takes the script and asks the program",
  ignore: !has("fish"),
  fn: async () => {
    const out = await inShell(
      ["fish", "--no-config", "-c"],
      [
        `reasonix completion fish | source`,
        `complete -C "reasonix doc"`,
        `complete -C "reasonix run --output-format js"`,
      ].join("\n"),
    );
    assert.match(out, /^doctor$/m);
    assert.match(out, /^json$/m);
  },
});
