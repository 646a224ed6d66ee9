import { computed, signal } from "@preact/signals";

/** An address of the page, without host. */
export interface Place {
  path: string;
  query: URLSearchParams;
}

/** Which page an address names. */
export type Page = { name: "chat"; id: string | null } | { name: "console"; path: string } | { name: "shared"; token: string } | { name: "unknown" };

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

/** Where the reader is. */
export const place = signal<Place>(here());

/** The page for where the reader is; `path` of the console is what follows `/console/`. */
export const page = computed<Page>(() => pageOf(place.value.path));

/** Read an address: `/`, `/chat/{id}`, `/console/{page}/…`, `/shared/{token}`; of any other there is no page. */
export function pageOf(path: string): Page {
  const [first = "", ...rest] = path.split("/").filter(Boolean).map(decoded);
  if (first === "console") return { name: "console", path: rest.join("/") };
  if (first === "shared" && rest[0]) return { name: "shared", token: rest[0] };
  if (first === "" || first === "chat") return { name: "chat", id: rest[0] || null };
  return { name: "unknown" };
}

/** Go to an address of this page. */
export function go(address: string, { replace = false } = {}): void {
  if (address === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  place.value = here();
}

/** Set or drop parts of the query, so that a view can be shared; null drops. */
export function setQuery(values: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) value === null ? query.delete(name) : query.set(name, value);
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : ""), { replace: true });
}

/** Follow links and the browser's own buttons; called once. */
export function startRouter(): void {
  addEventListener("popstate", () => (place.value = here()));
  document.addEventListener("click", (click) => {
    const link = (click.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || !isOurs(click, link)) return;
    click.preventDefault();
    go(link.pathname + link.search);
  });
}

function isOurs(click: MouseEvent, link: HTMLAnchorElement): boolean {
  if (click.defaultPrevented || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return false;
  if (link.target || link.hash || link.hasAttribute("download") || link.origin !== location.origin) return false;
  return !link.pathname.endsWith(".json") && /^\/($|chat(\/|$)|console(\/|$))/.test(link.pathname);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
