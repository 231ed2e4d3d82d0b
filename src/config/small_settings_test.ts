import assert from "node:assert/strict";
import { configFiles } from "../../tests/support/config_files.ts";
import { editConfigFile } from "./edit/edit_config_file.ts";
import { loadConfig } from "./load.ts";
import { defaultModel } from "./models.ts";
import { originOf } from "./origin_of.ts";
import { writeScaffold } from "./scaffold.ts";
import { SMALL_SETTINGS } from "./small_settings.ts";

const named = (name: string) => SMALL_SETTINGS.find((setting) => setting.name === name)!;

// proves CTX-13
Deno.test("a compaction ratio is a percentage or a fraction, never 0 or 100 %", () => {
  const rows = ["90", "90%", "0.9", " 72.5 % ", "1%", "1", "100", "0", "-5", "x", "", "1e2", ".85"];
  assert.deepEqual(rows.map((row) => named("compact-ratio").parse(row)), [
    0.9,
    0.9,
    0.9,
    0.725,
    0.01,
    ...Array(7).fill(undefined),
    0.85,
  ]);
});

Deno.test("each small setting can be set, shown with its source, and only where it belongs", async () => {
  using place = configFiles();
  const values = { "reasoning-language": "ZH", "compact-ratio": "70", currency: "cny", telemetry: "off" };
  for (const [name, text] of Object.entries(values)) {
    const setting = named(name);
    await editConfigFile(place.paths.userConfig, [{ set: setting.path, value: setting.parse(text)! }]);
  }
  const loaded = await loadConfig(place.options);
  assert.deepEqual(
    SMALL_SETTINGS.map((s) => [s.show(loaded.config), originOf(loaded, s.path.join(".")).label, s.local]),
    [
      ["reasoning_language = zh", "user", true],
      ["compact_ratio = 70%", "user", true],
      ["display_currency = CNY", "user", false],
      ["cli_metrics = off", "user", false],
    ],
  );
});

// proves CFG-42
Deno.test("the scaffold loads without a word and names a working default; other settings and providers stay", async () => {
  using place = configFiles();
  assert.equal(await writeScaffold(place.paths.userConfig, { mode: 0o600 }), "written");
  const { config, notices } = await loadConfig(place.options);
  assert.deepEqual([defaultModel(config).ref, config.providers[0]!.models, notices], [
    "deepseek/deepseek-flash",
    ["deepseek-flash", "deepseek-v4-pro"],
    [],
  ]);
  assert.equal(await writeScaffold(place.paths.userConfig), "kept");
  Deno.writeTextFileSync(place.paths.userConfig, '# mine\nlanguage = "zh"\n');
  assert.equal(await writeScaffold(place.paths.userConfig), "added");
  assert.match(Deno.readTextFileSync(place.paths.userConfig), /^# mine\nlanguage = "zh"\n/);
  assert.equal(defaultModel((await loadConfig(place.options)).config).ref, "deepseek/deepseek-flash");
});
