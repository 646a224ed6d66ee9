import { dayFormat, locale, shownElapsed, shownNumber } from "../app/language";
import type { StatsInfo, StepStats } from "../generated/api";

/** The spans a reader can choose: how many days, and by hour or by day. */
export const SPANS = [
  { value: "1", days: 1, step: "hour" },
  { value: "7", days: 7, step: "day" },
  { value: "30", days: 30, step: "day" },
] as const;

/** One bar of a chart: its height, a part of it in another colour, and a taller outline behind it. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly part: number;
  readonly behind: number;
  readonly text: string;
}

/** The address of the figures of a span. */
export function statsAddress(span: string): string {
  const found = SPANS.find((one) => one.value === span) ?? SPANS[1];
  return `/api/stats?days=${found.days}&step=${found.step}`;
}

/** The name of an hour or day as the reader writes it. */
export function stepLabel(at: string, step: StatsInfo["step"]): string {
  const options: Intl.DateTimeFormatOptions = step === "hour" ? { hour: "2-digit", minute: "2-digit" } : { ...dayFormat(), timeZone: "UTC" };
  return new Intl.DateTimeFormat(locale(), options).format(new Date(at));
}

/** Turns per step, those that failed in another colour. */
export function turnBars(stats: StatsInfo): Bar[] {
  return bars(stats, (one) => ({ value: one.turns, part: one.failed, behind: 0, text: `${shownNumber(one.turns)}${one.failed ? ` (${shownNumber(one.failed)} ✕)` : ""}` }));
}

/** Median latency per step, the 95th percentile behind it. */
export function latencyBars(stats: StatsInfo): Bar[] {
  return bars(stats, (one) => ({ value: one.p50_ms ?? 0, part: 0, behind: one.p95_ms ?? 0, text: one.p50_ms === null ? "–" : `p50 ${shownElapsed(one.p50_ms)}, p95 ${shownElapsed(one.p95_ms ?? 0)}` }));
}

/** Tokens per step, those that were written in another colour. */
export function tokenBars(stats: StatsInfo): Bar[] {
  return bars(stats, (one) => ({ value: one.input_tokens + one.output_tokens, part: one.output_tokens, behind: 0, text: shownNumber(one.input_tokens + one.output_tokens) }));
}

/** What the turns cost per step. */
export function costBars(stats: StatsInfo): Bar[] {
  return bars(stats, (one) => ({ value: one.cost ?? 0, part: 0, behind: 0, text: shownCost(one.cost) }));
}

/** A sum of money in whatever currency the prices are in. */
export function shownCost(cost: number | null): string {
  return cost === null ? "–" : shownNumber(cost, { maximumFractionDigits: cost < 1 ? 4 : 2 });
}

/** A share of turns in percent. */
export function shownShare(part: number, whole: number): string {
  return whole === 0 ? "–" : `${shownNumber((100 * part) / whole, { maximumFractionDigits: 1 })} %`;
}

function bars(stats: StatsInfo, bar: (one: StepStats) => Omit<Bar, "label">): Bar[] {
  return stats.steps.map((one) => ({ label: stepLabel(one.at, stats.step), ...bar(one) }));
}
