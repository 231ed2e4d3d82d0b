/** Words of the interface. English is the original; a translation has exactly the same keys and placeholders. */
import { EN } from "./en.ts";
import zh from "./zh.json" with { type: "json" };

export type TextKey = keyof typeof EN;
export type Texts = Readonly<Record<TextKey, string>>;
export type Language = "en" | "zh";
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, zh };

/** From the first of several tags that says anything, such as `zh_CN.UTF-8`; English otherwise. */
export function languageOf(...tags: readonly (string | undefined)[]): Language {
  const tag = tags.find((candidate) => candidate !== undefined && candidate !== "" && candidate !== "auto") ?? "";
  return /^zh\b|^zh_/i.test(tag) ? "zh" : "en";
}

export function createTranslate(language: Language): Translate {
  const texts = TEXTS[language];
  return (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => name in values ? String(values[name]) : whole);
}
