import { language } from "../app/language";
import { number, object, text } from "../events/read";
import type { Said } from "../events/state";
import type { Json, JsonObject } from "../generated/api";
import { wording } from "../words";
import { routingSentences } from "../words/routing";

const say = wording(routingSentences);

/** A value that a sentence still waits for. */
const OPEN = /\{\w+\}/;

/** A sentence of the router in the reader's language; one whose code or a value of which is not known keeps the server's words. */
export function said({ code, values, text }: Said): string {
  const words = sentence(code, values);
  return words === null || OPEN.test(words) ? text : words;
}

/** Why a skill was ranked as it is, in the reader's language, without the words that the reason rests on. */
export function saidReason(reason: JsonObject): string {
  const { feature, value, place, count } = { feature: text(reason["feature"]), value: number(reason["value"]), place: number(reason["place"]), count: number(reason["count"]) };
  const ranked: JsonObject = place ? { place, count } : {};
  const values = { percent: Math.round(Math.min(value, 1) * 100), value: value.toFixed(2), ...ranked };
  return said({ code: place === 1 ? `${feature}_first` : feature, values, text: text(reason["text"]) });
}

/** Words in a row, as the reader's language sets them apart. */
export function joined(words: readonly string[]): string {
  return words.join(language.value === "zh" ? "、" : ", ");
}

function sentence(code: string, values: JsonObject): string | null {
  if (!Object.hasOwn(routingSentences, code)) return null;
  const told: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const words = shown(value);
    if (words === null) return null;
    told[name] = words;
  }
  return say(code as keyof typeof routingSentences, told);
}

/** A value of a sentence: a word, several, or a sentence itself; null for the sentence of a pack, which only the server has. */
function shown(value: Json): string | null {
  if (Array.isArray(value)) {
    const words = value.map(shown);
    return words.includes(null) ? null : joined(words.map(String));
  }
  if (typeof value !== "object" || value === null) return String(value);
  return sentence(text(value["code"]), object(value["values"]));
}
