import { afterEach, describe, expect, test, vi } from "vitest";
import { follow, readEvents, SseReader, type Link } from "../../src/app/stream";
import type { StoredEvent } from "../../src/generated/api";

const event = (seq: number): StoredEvent => ({ conversation: "c1", turn: "t1", seq, at: "2026-01-20T08:00:00Z", kind: "text.delta", data: { text: `第${seq}` } });
const frame = (seq: number): string => `id: ${seq}\nevent: text.delta\ndata: ${JSON.stringify(event(seq))}\n\n`;

/** A response whose bytes come in pieces of this size, and which may break at the end. */
function response(text: string, size = 7, breaks = false): Response {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(control) {
      if (at >= bytes.length) return breaks ? control.error(new TypeError("network")) : control.close();
      control.enqueue(bytes.slice(at, (at += size)));
    },
  });
  return new Response(body, { status: 200 });
}

afterEach(() => vi.unstubAllGlobals());

describe("a stream is read whatever its chunks", () => {
  const text = `: hello\n\n${frame(1)}: still here\n\n${frame(2).replaceAll("\n", "\r\n")}${frame(3)}`;

  test.each([1, 2, 3, 5, 16, 1000])("in pieces of %i bytes", async (size) => {
    const seen: number[] = [];
    await readEvents(response(text, size), (one) => seen.push(one.seq));
    expect(seen).toEqual([1, 2, 3]);
  });

  test("what is no event is passed over", async () => {
    const seen: number[] = [];
    await readEvents(response(`data: {broken\n\ndata: 5\n\n${frame(4)}`), (one) => seen.push(one.seq));
    expect(seen).toEqual([4]);
  });

  test("several data lines are one message", () => {
    expect(new SseReader().push("data: a\ndata:b\n\n")).toEqual([{ id: "", event: "", data: "a\nb" }]);
  });
});

test("a stream that falls silent is given up", async () => {
  const silent = new Response(new ReadableStream({ start: () => undefined }));
  await expect(readEvents(silent, () => undefined, 5)).rejects.toThrow("silent");
});

test("a broken stream is resumed after the last event that was seen", async () => {
  const asked: (string | undefined)[] = [];
  const answers = [response(frame(1) + frame(2), 9, true), new Error("offline"), response(frame(3), 9)];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    asked.push((init.headers as Record<string, string>)["Last-Event-ID"]);
    const answer = answers.shift();
    if (!answer) throw new TypeError("offline");
    if (answer instanceof Error) throw new TypeError(answer.message);
    return answer;
  });
  const control = new AbortController();
  const seen: number[] = [];
  const waits: number[] = [];
  const links: Link[] = [];
  await follow({
    path: "/api/conversations/c1/events",
    after: () => seen.at(-1) ?? 0,
    onEvent: (one) => seen.push(one.seq),
    onLink: (link) => links.push(link),
    signal: control.signal,
    pause: async (ms) => {
      waits.push(ms);
      if (seen.length === 3) control.abort();
    },
  });
  expect(seen).toEqual([1, 2, 3]);
  expect(asked).toEqual(["0", "2", "2"]);
  expect(waits).toEqual([500, 1000, 500]);
  expect(links).toEqual(["open", "waiting", "waiting", "open", "waiting", "closed"]);
});

test("a conversation that does not exist is not asked for again", async () => {
  const body = { error: { code: "record_not_found", message: "there is no conversation", hint: "" } };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status: 404 }));
  const asked = follow({ path: "/x", after: () => 0, onEvent: () => undefined, signal: new AbortController().signal });
  await expect(asked).rejects.toMatchObject({ status: 404, code: "record_not_found" });
});
