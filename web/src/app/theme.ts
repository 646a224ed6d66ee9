import { computed, effect, signal } from "@preact/signals";
import { recall, remember } from "./memory";

/** What the reader chose: a theme, or whatever the system has. */
export type Theme = "light" | "dark" | "system";

const prefersDark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const systemDark = signal(prefersDark?.matches ?? false);
prefersDark?.addEventListener?.("change", (change) => (systemDark.value = change.matches));

/** The chosen theme. */
export const theme = signal<Theme>(firstTheme());

/** Whether the page is dark now; charts follow it. */
export const dark = computed(() => theme.value === "dark" || (theme.value === "system" && systemDark.value));

/** Choose a theme, and remember it. */
export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  remember("theme", chosen === "system" ? null : chosen);
}

function firstTheme(): Theme {
  const chosen = recall("theme");
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

effect(() => {
  const root = document.documentElement;
  if (theme.value === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme.value;
});
