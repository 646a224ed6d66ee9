import { effect, signal } from "@preact/signals";
import { recall, remember } from "./memory";

/** The languages of the page. */
export type Language = "zh" | "en";

/** The language of the page: chosen before, or the browser's. */
export const language = signal<Language>(firstLanguage());

/** Change the language of the page, and remember it. */
export function setLanguage(chosen: Language): void {
  language.value = chosen;
  remember("language", chosen);
}

/** A date and time as the reader writes it; in English the month has its name, since half of the readers write the day first. */
export function shownTime(at: string | number | Date, options: Intl.DateTimeFormatOptions = { dateStyle: "short", timeStyle: "short" }): string {
  const named = language.value === "en" && options.dateStyle === "short" ? { ...options, dateStyle: "medium" as const } : options;
  return new Intl.DateTimeFormat(locale(), named).format(new Date(at));
}

/** How a day without its year is written. */
export function dayFormat(): Intl.DateTimeFormatOptions {
  return { month: language.value === "en" ? "short" : "numeric", day: "numeric" };
}

/** A number as the reader writes it. */
export function shownNumber(value: number, options: Intl.NumberFormatOptions = { maximumFractionDigits: 2 }): string {
  return new Intl.NumberFormat(locale(), options).format(value);
}

/** A length of time in the shortest words. */
export function shownElapsed(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}

/** The locale behind the language. */
export function locale(): string {
  return language.value === "zh" ? "zh-CN" : "en";
}

function firstLanguage(): Language {
  const chosen = recall("language");
  if (chosen === "zh" || chosen === "en") return chosen;
  return typeof navigator !== "undefined" && navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

effect(() => {
  if (typeof document !== "undefined") document.documentElement.lang = locale();
});
