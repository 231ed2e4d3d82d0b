import assert from "node:assert/strict";
import { createTranslate, languageOf, TEXTS } from "./translate.ts";

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

Deno.test("every language has every text, with the same placeholders", () => {
  const { en, zh } = TEXTS;
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  const different = Object.entries(en).filter(([key, text]) =>
    placeholders(text).join() !== placeholders(zh[key as keyof typeof zh]).join()
  );
  assert.deepEqual(different, []);
  assert.deepEqual(Object.entries(zh).filter(([, text]) => text.trim() === ""), []);
});

// proves MODE-10
Deno.test("postures and modes have their Chinese names", () => {
  const t = createTranslate("zh");
  assert.deepEqual(
    [t("posture.ask"), t("posture.auto"), t("posture.yolo"), t("mode.normal"), t("mode.plan"), t("mode.goal")],
    ["需要批准", "自动批准", "Yolo批准", "正常模式", "计划模式", "目标模式"],
  );
});

// proves CFG-11
Deno.test("the first tag that says anything decides the language", () => {
  assert.equal(languageOf("", undefined, "zh_CN.UTF-8", "en"), "zh");
  assert.equal(languageOf("en", "zh"), "en");
  assert.equal(languageOf("auto", "zh-Hans"), "zh");
  assert.equal(languageOf(undefined), "en");
  assert.equal(languageOf("fr_FR"), "en");
});

Deno.test("values are put in, also when they look like placeholders", () => {
  assert.equal(createTranslate("en")("tool.refused", { reason: "{code}" }), "not run: {code}");
});
