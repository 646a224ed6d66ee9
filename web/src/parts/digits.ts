import { shownNumber } from "../app/language";
import type { Json } from "../generated/api";

const MOST = 6;

/** How many digits after the point the numbers of a column need: all of them show as many. */
export function decimalsOf(values: Iterable<Json | undefined>): number {
  let most = 0;
  for (const value of values) {
    if (typeof value !== "number" || Number.isInteger(value) || !Number.isFinite(value)) continue;
    most = Math.max(most, value.toFixed(MOST).replace(/0+$/, "").split(".")[1]?.length ?? 0);
    if (most === MOST) break;
  }
  return most;
}

/** A number of a column with the digits of the column. */
export function shownDigits(value: number, decimals: number, options: Intl.NumberFormatOptions = {}): string {
  const tiny = value !== 0 && Math.abs(value) < 10 ** -MOST;
  return tiny ? String(value) : shownNumber(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals, ...options });
}
