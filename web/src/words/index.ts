import { language } from "../app/language";

/** One sentence in both languages; a language cannot be missing. */
export type Sentence = readonly [zh: string, en: string];

/** Gives the sentence of a key in the reader's language, with `{name}` replaced by values. */
export type Say<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** Makes a `say` for a table of sentences; components that call it follow a change of language. */
export function wording<Key extends string>(table: Record<Key, Sentence>): Say<Key> {
  return (key, values = {}) => {
    const text = table[key][language.value === "zh" ? 0 : 1];
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
