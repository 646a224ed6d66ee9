import { dayFormat, locale } from "../app/language";
import type { Listed } from "./conversations";

/** Conversations under one heading. */
export interface Group {
  readonly key: "pinned" | "today" | "yesterday" | "week" | "month";
  readonly label: string;
  readonly rows: readonly Listed[];
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** The list by day: pinned ones first, then today, yesterday, the last seven days, and months; searched lists keep their order. */
export function grouped(rows: readonly Listed[], pinned: readonly Listed[], now: Date = new Date()): Group[] {
  const groups: { key: Group["key"]; label: string; rows: Listed[] }[] = [];
  if (pinned.length > 0) groups.push({ key: "pinned", label: "", rows: [...pinned] });
  const above = new Set(pinned.map((one) => one.id));
  for (const one of rows) {
    if (above.has(one.id)) continue;
    const { key, label } = headingOf(new Date(one.updated_at), now);
    const last = groups.at(-1);
    if (last && last.key === key && last.label === label) last.rows.push(one);
    else groups.push({ key, label, rows: [one] });
  }
  return groups;
}

/** When a conversation was last used, as short as it can be told from the others: the time, the weekday, or the date. */
export function shortTime(at: string, now: Date = new Date()): string {
  const when = new Date(at);
  const days = daysBetween(when, now);
  if (days <= 0) return format(when, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  if (days < WEEK_DAYS) return format(when, { weekday: "short" });
  return format(when, dayFormat());
}

function headingOf(when: Date, now: Date): { key: Group["key"]; label: string } {
  const days = daysBetween(when, now);
  if (days <= 0) return { key: "today", label: "" };
  if (days === 1) return { key: "yesterday", label: "" };
  if (days < WEEK_DAYS) return { key: "week", label: "" };
  return { key: "month", label: format(when, { year: "numeric", month: "long" }) };
}

function daysBetween(when: Date, now: Date): number {
  const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(now) - midnight(when)) / DAY_MS);
}

function format(when: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale(), options).format(when);
}
