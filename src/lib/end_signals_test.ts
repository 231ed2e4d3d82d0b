import assert from "node:assert/strict";

const MODULE = new URL("./end_signals.ts", import.meta.url).href;

/** Runs the lines in a program of their own, sends it the signals one after the other, and answers all it said. */
async function said(lines: string, signals: readonly Deno.Signal[]): Promise<string[]> {
  const script = `import { EndSignals, signalExitCode } from "${MODULE}";
    const long = new Promise((done) => setTimeout(done, 60_000));
    ${lines}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let text = "";
  const waiting = [...signals];
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const signal = waiting.shift();
    if (signal) child.kill(signal);
  }
  const { code, signal } = await child.status;
  return [...text.trimEnd().split("\n"), signal ?? String(code)];
}

const CASES: readonly {
  readonly name: string;
  readonly lines: string;
  readonly signals: readonly Deno.Signal[];
  readonly says: readonly string[];
}[] = [
  {
    name: "no signal ends a program that listens, not a second one either, and the first is remembered",
    lines: `
      const heard = [];
      using signals = new EndSignals((name) => {
        heard.push(name);
        console.log("heard");
        if (heard.length < 3) return;
        console.log(heard.join(), signals.first, signalExitCode(signals.first));
        Deno.exit(0);
      });
      console.log("ready");
      await long;`,
    signals: ["SIGTERM", "SIGINT", "SIGHUP"],
    says: ["ready", "heard", "heard", "heard", "SIGTERM,SIGINT,SIGHUP SIGTERM 143", "0"],
  },
  {
    name: "a start that hangs is given up after a signal",
    lines: `
      using signals = new EndSignals();
      console.log("ready");
      console.log(await signals.unlessStopped(long, { graceMs: 1 }), signals.first);
      Deno.exit(0);`,
    signals: ["SIGINT"],
    says: ["ready", "undefined SIGINT", "0"],
  },
  {
    name: "a start that ends soon after a signal is not lost",
    lines: `
      const start = Promise.withResolvers();
      using signals = new EndSignals(() => setTimeout(() => start.resolve("started"), 10));
      console.log("ready");
      console.log(await signals.unlessStopped(start.promise));
      Deno.exit(0);`,
    signals: ["SIGHUP"],
    says: ["ready", "started", "0"],
  },
  {
    name: "signals end a program that listens no longer",
    lines: `
      {
        using signals = new EndSignals();
      }
      console.log("ready");
      await long;`,
    signals: ["SIGTERM"],
    says: ["ready", "SIGTERM"],
  },
];

for (const { name, lines, signals, says } of CASES) {
  Deno.test({
    name,
    ignore: Deno.build.os === "windows",
    fn: async () => assert.deepEqual(await said(lines, signals), says),
  });
}
