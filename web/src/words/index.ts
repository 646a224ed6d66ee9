import { language } from "../app/language";

/** One sentence in both languages; a language cannot be missing. */
export type Sentence = readonly [zh: string, en: string];

/** Gives the sentence of a key in the reader's language, with `{name}` replaced by values. */
export type Say<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** A count and what is counted, with the verb if it follows: `{count} open questions are`. */
const COUNTED = /\{(\w+)\} ((?:(?!(?:of|in|to) )[a-z]+ )?)([a-z]{3,}s)\b( are| were| have| wait)?/g;
const SINGULAR_VERBS: Readonly<Record<string, string>> = { " are": " is", " were": " was", " have": " has", " wait": " waits" };

/** `{count} rows are` as `{count} row is` where the count is one. */
function fitCounts(text: string, values: Record<string, string | number>): string {
  return text.replace(COUNTED, (whole, name: string, before: string, nouns: string, verb: string | undefined) => {
    if (String(values[name]) !== "1") return whole;
    const single = nouns.endsWith("ies") ? `${nouns.slice(0, -3)}y` : nouns.slice(0, /(?:sses|shes|ches|xes)$/.test(nouns) ? -2 : -1);
    return `{${name}} ${before}${single}${verb ? SINGULAR_VERBS[verb] : ""}`;
  });
}

/** Makes a `say` for a table of sentences; components that call it follow a change of language. */
export function wording<Key extends string>(table: Record<Key, Sentence>): Say<Key> {
  return (key, values = {}) => {
    const [zh, en] = table[key];
    const text = language.value === "zh" ? zh : fitCounts(en, values);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
