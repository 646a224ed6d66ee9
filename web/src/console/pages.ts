import type { IconName } from "../parts/icon";

/** The pages of the console. */
export type PageName = "timeline" | "context" | "skills" | "playground" | "violations" | "feedback" | "dashboard" | "models" | "bench" | "macrobench" | "telemetry";

/** Every page with its picture, in the order of the side. */
export const PAGES: readonly { readonly name: PageName; readonly icon: IconName }[] = [
  { name: "timeline", icon: "clock" },
  { name: "context", icon: "list" },
  { name: "skills", icon: "book" },
  { name: "playground", icon: "question" },
  { name: "violations", icon: "shield" },
  { name: "feedback", icon: "thumbUp" },
  { name: "dashboard", icon: "chart" },
  { name: "models", icon: "spark" },
  { name: "bench", icon: "flag" },
  { name: "macrobench", icon: "file" },
  { name: "telemetry", icon: "dot" },
];

/** Where in the console an address leads: a page, and the id of what is looked at. */
export interface ConsolePlace {
  readonly page: PageName | null;
  readonly id: string;
}

/** Read what follows `/console/`; nothing means the timeline, an unknown name no page. */
export function consolePlace(path: string): ConsolePlace {
  const [first = "", ...rest] = path.split("/").filter(Boolean);
  if (!first) return { page: "timeline", id: "" };
  return { page: PAGES.find((page) => page.name === first)?.name ?? null, id: rest.join("/") };
}

/** The address of a page, of one thing on it, and with a query. */
export function addressOf(page: PageName, id = "", query: Readonly<Record<string, string>> = {}): string {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `/console/${page}${id ? `/${encodeURIComponent(id)}` : ""}${asked ? `?${asked}` : ""}`;
}
