// An error of the program itself: the terminal comes back, the error can be read, a report lies in the home.
import assert from "node:assert/strict";
import { Pane, TMUX } from "../support/tmux.ts";

const ignore = !TMUX;
const MODES = "#{cursor_flag} #{bracket_paste_flag} #{mouse_any_flag} #{alternate_on}";

for (const where of ["render", "background"] as const) {
  Deno.test({ name: `an uncaught error in ${where} restores the terminal and leaves a report`, ignore }, async () => {
    const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "rx-" }));
    await using pane = await Pane.open({ columns: 80, rows: 24, cwd: base, env: { HOME: base, CRASH: where } });
    await pane.line("stty -a > before");
    const before = await pane.format(MODES);
    await pane.line(`${Pane.script("tests/support/crashing_screen.ts")}; echo CODE=$?`);
    await pane.shows("ready");
    const text = await pane.shows(/CODE=1/);
    assert.match(text, /Reasonix met an error of its own/);
    assert.match(text, /Error: planted in (?:render|background)/);
    assert.match(text, /Report: \S+/);
    await pane.line("stty -a > after; echo SAME=$(cmp before after && echo yes)");
    await pane.shows("SAME=yes");
    assert.equal(await pane.format(MODES), before);
    const [report] = [...Deno.readDirSync(`${base}/cli-crash-reports`)];
    const path = `${base}/cli-crash-reports/${report!.name}`;
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    const { error, stack } = JSON.parse(Deno.readTextFileSync(path));
    assert.match(error, /planted/);
    assert.match(stack, /at /);
    await Deno.remove(base, { recursive: true });
  });
}
