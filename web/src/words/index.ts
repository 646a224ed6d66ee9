import { language } from "../app/language";

/** One sentence in both languages; a language cannot be missing. */
export type Sentence = readonly [zh: string, en: string];

/** Gives the sentence of a key in the reader's language, with `{name}` replaced by values. */
export type Say<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** `{count} open questions` as `{count} open question` where the count is one. */
function fitCounts(text: string, values: Record<string, string | number>): string {
  const one = (whole: string, name: string, stem: string): string => (String(values[name]) === "1" ? `{${name}} ${stem.replace(/ie$/, "y")}` : whole);
  return text.replace(/\{(\w+)\} ((?:(?!of )[a-z]+ )?[a-z]{2,})s\b/g, one);
}

/** Makes a `say` for a table of sentences; components that call it follow a change of language. */
export function wording<Key extends string>(table: Record<Key, Sentence>): Say<Key> {
  return (key, values = {}) => {
    const [zh, en] = table[key];
    const text = language.value === "zh" ? zh : fitCounts(en, values);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
