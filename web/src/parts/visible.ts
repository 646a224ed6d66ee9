import type { Json } from "../generated/api";

/** Characters that nobody sees, as the server's `visible_text` knows them: controls, odd blanks, letters without a shape. */
const HIDDEN = /(?![\n\t \u3000])[\p{C}\p{Z}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;

/** A text for a person who decides: characters that nobody sees are written out as `<U+200B>`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (char) => `<U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}>`);
}

/** A value with every text in it made visible. */
export function visibleJson(value: Json): Json {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visibleText(name), visibleJson(inner)]));
}
