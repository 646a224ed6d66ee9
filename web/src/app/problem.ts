import { sayApp } from "../words/app";
import { failureLine } from "./failures";
import { errorOf } from "./api";

const KEPT = 20;
/** What the server said of the newest problems, by the sentence that stands for it. */
const details = new Map<string, string>();

/** Anything that was thrown, as one sentence for the reader. */
export function problemText(thrown: unknown): string {
  const { code, message, hint } = errorOf(thrown);
  if (code === "offline") return sayApp("offline");
  const sentence = failureLine(code, message);
  if (sentence === null) return [message || sayApp("unknown"), hint].filter(Boolean).join(" · ");
  details.delete(sentence);
  details.set(sentence, [message, hint, code].filter(Boolean).join(" · "));
  if (details.size > KEPT) details.delete(details.keys().next().value as string);
  return sentence;
}

/** The server's own words behind a sentence of `problemText`, with ids and codes; empty if there are none. */
export function problemDetail(sentence: string): string {
  return details.get(sentence) ?? "";
}
