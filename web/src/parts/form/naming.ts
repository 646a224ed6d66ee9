import { sayChat } from "../../words/chat";
import type { Problem } from "./values";

/** The words for a problem. */
export function problemWords(problem: Problem): string {
  return sayChat(`problem_${problem.code}`, { limit: problem.limit });
}

/** The id of a field's input. */
export function inputId(form: string, path: string): string {
  return `${form}-${path.replace(/[^\p{L}\p{N}_-]/gu, "-")}`;
}
