import { ApiError, isAbort, send } from "./api";
import type { StoredEvent } from "../generated/api";

/** A stream without a byte for this long is dead: the server sends a heartbeat every ten seconds. */
export const SILENCE_MS = 30_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** One message of a `text/event-stream`. */
export interface Sent {
  id: string;
  event: string;
  data: string;
}

/** How a followed stream stands. */
export type Link = "open" | "waiting" | "closed";

/** What `follow` needs: where to read, after which event, and whom to tell. */
export interface Following {
  path: string;
  after: () => number;
  onEvent: (event: StoredEvent) => void;
  onLink?: (link: Link, attempt: number) => void;
  signal: AbortSignal;
  silenceMs?: number;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Cut a text stream into messages, whatever the chunks; comments and empty messages are passed over. */
export class SseReader {
  private rest = "";
  private current: Sent = { id: "", event: "", data: "" };

  /** Take in a chunk and give the messages that are complete with it. */
  push(chunk: string): Sent[] {
    this.rest += chunk;
    const made: Sent[] = [];
    for (;;) {
      const at = this.rest.search(/\r\n|\n|\r(?!$)/);
      if (at < 0) return made;
      const line = this.rest.slice(0, at);
      this.rest = this.rest.slice(at + (this.rest.startsWith("\r\n", at) ? 2 : 1));
      if (line === "") {
        if (this.current.data) made.push(this.current);
        this.current = { id: this.current.id, event: "", data: "" };
      } else if (!line.startsWith(":")) this.field(line);
    }
  }

  private field(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.current.data += this.current.data ? `\n${value}` : value;
    else if (name === "id") this.current.id = value;
    else if (name === "event") this.current.event = value;
  }
}

/** Read the stored events of a streaming response until it ends; silence for too long is an error. */
export async function readEvents(response: Response, onEvent: (event: StoredEvent) => void, silenceMs = SILENCE_MS): Promise<void> {
  const body = response.body;
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const sse = new SseReader();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), silenceMs);
      if (done) return;
      for (const sent of sse.push(decoder.decode(value, { stream: true }))) {
        const event = storedEvent(sent.data);
        if (event) onEvent(event);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Follow a conversation until the signal: resumes after the last event that was seen, waiting longer each time. */
export async function follow(options: Following): Promise<void> {
  const { signal, onLink } = options;
  const pause = options.pause ?? sleep;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": String(options.after()) };
      const response = await send("GET", options.path, { headers, signal });
      onLink?.("open", 0);
      await readEvents(response, (event) => {
        failures = 0;
        options.onEvent(event);
      }, options.silenceMs);
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) break;
      if (thrown instanceof ApiError && thrown.status < 500 && thrown.status !== 429 && thrown.status !== 408) {
        onLink?.("closed", failures);
        throw thrown;
      }
    }
    if (signal.aborted) break;
    failures += 1;
    onLink?.("waiting", failures);
    await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)), signal);
  }
  onLink?.("closed", failures);
}

function storedEvent(text: string): StoredEvent | null {
  try {
    const value = JSON.parse(text) as StoredEvent;
    return typeof value === "object" && value !== null && typeof value.seq === "number" && typeof value.kind === "string" ? value : null;
  } catch {
    return null;
  }
}

function withinSilence<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the stream fell silent")), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((go) => {
    const timer = setTimeout(go, ms);
    const now = (): void => {
      clearTimeout(timer);
      go();
    };
    signal.addEventListener("abort", now, { once: true });
    addEventListener("online", now, { once: true });
  });
}
