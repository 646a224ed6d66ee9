import { sayApp } from "../words/app";
import { failureLine } from "./failures";
import { errorOf } from "./api";

/** Anything that was thrown, as one sentence for the reader. */
export function problemText(thrown: unknown): string {
  const { code, message, hint } = errorOf(thrown);
  if (code === "offline") return sayApp("offline");
  const sentence = failureLine(code, message);
  if (sentence !== null) return sentence;
  return [message || sayApp("unknown"), hint].filter(Boolean).join(" · ");
}
