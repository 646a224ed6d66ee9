/** The colours of bands. Red to blue and brown to teal can be told apart without seeing red and green. */

import type { StageName } from "./geometry";

const LEVELS = ["#a50026", "#f46d43", "#fee090", "#74add1", "#313695"];
const CHANGES = ["#8c510a", "#d8b365", "#f6e8c3", "#e4e4e4", "#c7eae5", "#5ab4ac", "#01665e"];

/** A colour for each of so many bands, from the worst to the best. */
export function coloursOf(count: number, stage: StageName): string[] {
  const all = stage === "difference" ? CHANGES : LEVELS;
  if (count === all.length) return [...all];
  return Array.from({ length: count }, (_, at) => all[Math.round((at * (all.length - 1)) / Math.max(1, count - 1))] ?? "#888888");
}
