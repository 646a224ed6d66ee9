import { same } from "../events/read";
import type { Json } from "../generated/api";

/** One place where two values differ; undefined where there is nothing. */
export interface Difference {
  path: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** Where two JSON values differ, down to the smallest parts. */
export function differences(before: Json | undefined, after: Json | undefined, path = ""): Difference[] {
  if (same(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, at) => differences(before[at], after[at], `${path}[${at}]`)).flat();
  }
  return [{ path, before, after }];
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
