import { signal } from "@preact/signals";
import type { Json } from "../generated/api";

/** What the server answered instead of what was asked for: a code, a sentence and a hint. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** Options of a call. */
export interface CallOptions {
  body?: unknown;
  /** Sent as it is, in place of a body. */
  file?: Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const KEY = "metier.key";

/** Whether the server wants a key; the shell then asks for one. */
export const keyNeeded = signal(false);
/** Whether the key that was given is not one of the server's. */
export const keyRefused = signal(false);

let key = storedKey();
let waiting: (() => void)[] = [];

/** Call the server and read its JSON; an error body becomes an `ApiError`. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** Read JSON from the server. */
export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>("GET", path, signal ? { signal } : {});
}

/** Send JSON to the server and read its answer. */
export function post<T>(path: string, body: unknown): Promise<T> {
  return call<T>("POST", path, { body });
}

/** Call the server and hand back the response, once it is a good one; asks for a key when one is needed. */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  for (;;) {
    const used = key;
    const response = await attempt(method, path, options);
    if (response.status !== 401) return checked(response);
    if (key !== used) continue; // another call was given a key meanwhile
    keyRefused.value = used !== null;
    await askForKey();
  }
}

/** Keep the key for this tab, and let the calls that waited for it go on. */
export function giveKey(given: string): void {
  key = given;
  try {
    sessionStorage.setItem(KEY, given);
  } catch {
    // without storage the key lasts until the page is loaded again
  }
  keyNeeded.value = false;
  const held = waiting;
  waiting = [];
  for (const go of held) go();
}

/** An error in the words that the page shows. */
export function errorOf(thrown: unknown): { code: string; message: string; hint: string } {
  if (thrown instanceof ApiError) return { code: thrown.code, message: thrown.message, hint: thrown.hint };
  if (thrown instanceof TypeError) return { code: "offline", message: "", hint: "" };
  return { code: "unknown", message: thrown instanceof Error ? thrown.message : String(thrown), hint: "" };
}

/** Whether a call was given up on purpose. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}

function askForKey(): Promise<void> {
  keyNeeded.value = true;
  return new Promise((go) => waiting.push(go));
}

function attempt(method: string, path: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  if (key) headers["Authorization"] = `Bearer ${key}`;
  const init: RequestInit = { method, headers };
  if (options.signal) init.signal = options.signal;
  if (options.body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(options.body);
  }
  if (options.file) {
    headers["Content-Type"] = "application/octet-stream";
    init.body = options.file;
  }
  return fetch(path, init);
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const found = await errorBody(response);
  const text = (name: string): string => (typeof found[name] === "string" ? found[name] : "");
  throw new ApiError(response.status, text("code") || `http_${response.status}`, text("detail") || text("message") || response.statusText, text("hint"));
}

async function errorBody(response: Response): Promise<{ [key: string]: Json }> {
  try {
    const body = (await response.json()) as { error?: { [key: string]: Json } };
    return body.error ?? {};
  } catch {
    return {};
  }
}

function storedKey(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
