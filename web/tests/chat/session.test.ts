import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sayChat } from "../../src/words/chat";
import { draft, noteRows, queue, submit, unsent } from "../../src/chat/outbox";
import { answer, busy, conversation, link, lost, open, openPauses, problem, sending, unanswered, unfollow } from "../../src/chat/session";
import type { EventKind, JsonObject, StoredEvent } from "../../src/generated/api";

const frame = (one: StoredEvent): string => `id: ${one.seq}\nevent: ${one.kind}\ndata: ${JSON.stringify(one)}\n\n`;

/** A server in a few lines: stores events, tells them, and can break the line in the middle of a turn. */
class Server {
  events: StoredEvent[] = [];
  posts: { path: string; body: JsonObject }[] = [];
  breakAfter = Infinity;
  refuse: Response | null = null;
  script: [EventKind, JsonObject][][] = [];

  fetch = async (path: string, init: RequestInit): Promise<Response> => {
    if (init.method === "POST") return this.posted(path, JSON.parse(String(init.body)) as JsonObject);
    if (path.startsWith("/api/conversations?")) return Response.json({ conversations: [], next: null });
    if (path.includes("events.json")) {
      const after = Number(new URL(path, "http://x").searchParams.get("after"));
      return Response.json({ events: this.events.filter((one) => one.seq > after), last_seq: this.events.length });
    }
    const after = Number((init.headers as Record<string, string>)["Last-Event-ID"]);
    return this.stream(this.events.filter((one) => one.seq > after), init.signal ?? null);
  };

  private posted(path: string, body: JsonObject): Response {
    if (this.refuse) return this.refuse;
    this.posts.push({ path, body });
    const turn = path === "/api/chat" ? `t${this.posts.length}` : (this.events.at(-1)?.turn ?? "t1");
    const begin = this.events.length;
    for (const [kind, data] of this.script.shift() ?? []) {
      this.events.push({ conversation: "c1", turn, seq: this.events.length + 1, at: "2026-01-20T08:00:00Z", kind, data } as StoredEvent);
    }
    const mine = this.events.slice(begin);
    const text = mine.slice(0, this.breakAfter).map(frame).join("");
    const broken = mine.length > this.breakAfter;
    return new Response(
      new ReadableStream({
        start(control) {
          control.enqueue(new TextEncoder().encode(text));
          if (broken) setTimeout(() => control.error(new TypeError("cut")), 5);
          else control.close();
        },
      }),
      { headers: { "X-Conversation-Id": "c1" } },
    );
  }

  private stream(events: StoredEvent[], signal: AbortSignal | null): Response {
    return new Response(
      new ReadableStream({
        start(control) {
          control.enqueue(new TextEncoder().encode(events.map(frame).join("")));
          signal?.addEventListener("abort", () => control.error(new DOMException("left", "AbortError")));
        },
      }),
    );
  }
}

const turn = (message: string, ...rest: [EventKind, JsonObject][]): [EventKind, JsonObject][] => [["turn.started", { message, skill: null }], ...rest, ["turn.done", {}]];
let server: Server;

beforeEach(async () => {
  server = new Server();
  vi.stubGlobal("fetch", server.fetch);
  await open(null);
  [queue.value, unsent.value, draft.value] = [[], null, ""];
});

afterEach(async () => {
  unfollow();
  await open(null);
  vi.unstubAllGlobals();
});

const texts = (): string[] => (conversation.value?.turns ?? []).flatMap((one) => one.items).filter((item) => item.type === "text").map((item) => item.text);

test("a first message begins a conversation and gives it its address", async () => {
  server.script = [turn("你好", ["text.done", { text: "你好！" }])];
  submit("你好");
  expect([busy.value, sending.value?.text]).toEqual([true, "你好"]);
  await vi.waitFor(() => expect(texts()).toEqual(["你好！"]));
  await vi.waitFor(() => expect(busy.value).toBe(false));
  expect(location.pathname).toBe("/chat/c1");
  expect(server.posts[0]?.body).toMatchObject({ message: "你好" });
});

test("a line that breaks in the middle of a turn loses nothing and doubles nothing", async () => {
  server.script = [turn("讲", ["text.delta", { text: "甲" }], ["text.delta", { text: "乙" }], ["text.done", { text: "甲乙" }])];
  server.breakAfter = 2;
  submit("讲");
  await vi.waitFor(() => expect(conversation.value?.turns[0]?.state).toBe("done"));
  expect(texts()).toEqual(["甲乙"]);
  expect(conversation.value?.turns).toHaveLength(1);
  expect([unsent.value, sending.value]).toEqual([null, null]);
});

test("a message of which nobody knows whether it arrived can be sent again under the same key", async () => {
  server.refuse = Response.json({ error: { code: "failed", message: "it broke", hint: "try again" } }, { status: 500 });
  submit("你好");
  await vi.waitFor(() => expect(unsent.value?.text).toBe("你好"));
  expect(problem.value).toBe("it broke · try again");
  expect([busy.value, draft.value]).toEqual([false, ""]);
});

test.each([409, 413, 422, 503])("words that the server refuses with %i come back into the field, before what was written since", async (status) => {
  server.refuse = Response.json({ error: { code: "unavailable", message: "the store is locked", hint: "try again" } }, { status });
  submit("你好");
  draft.value = "还有";
  await vi.waitFor(() => expect(draft.value).toBe("你好\n还有"));
  expect(problem.value).toBe("the store is locked · try again");
  expect([busy.value, unsent.value]).toEqual([false, null]);
});

test("a decision and words carry what the page shows of the question, as it was changed last", async () => {
  const asked: JsonObject = { pause: "p1", kind: "approval", purpose: "approve", schema: {}, text: "批准？", calls: [], shown: "s1" };
  server.script = [[["turn.started", { message: "一" }], ["pause.opened", asked]], turn("只要前两行", ["pause.changed", { pause: "p1", chosen_rows: ["a", "b"], shown: "s2" }])];
  submit("一");
  await vi.waitFor(() => expect(openPauses.value[0]?.pause.shown).toBe("s1"));
  submit("只要前两行");
  await vi.waitFor(() => expect(openPauses.value[0]?.pause).toMatchObject({ shown: "s2", chosen: ["a", "b"] }));
  server.script = [[["pause.answered", { pause: "p1", purpose: "approve", answer: {} }], ["turn.done", {}]]];
  await answer("p1", { decision: "approve" });
  expect(server.posts.map((post) => post.body["shown"])).toEqual([undefined, "s1", "s2"]);
});

test("what is written while something runs waits for its turn", async () => {
  server.script = [turn("一", ["text.done", { text: "答一" }]), turn("二", ["text.done", { text: "答二" }])];
  submit("一");
  submit("二");
  expect(queue.value.map((one) => one.text)).toEqual(["二"]);
  await vi.waitFor(() => expect(texts()).toEqual(["答一", "答二"]));
  expect(queue.value).toEqual([]);
});

test("what waits does not answer a question by accident", async () => {
  server.script = [[["turn.started", { message: "一" }], ["pause.opened", { pause: "p1", kind: "question", purpose: "ask", schema: {}, text: "继续？", choices: [{ text: "是", value: true }] }]]];
  submit("一");
  submit("二");
  await vi.waitFor(() => expect(openPauses.value).toHaveLength(1));
  await new Promise((go) => setTimeout(go, 0));
  expect(queue.value.map((one) => one.text)).toEqual(["二"]);
  server.script = [[["pause.answered", { pause: "p1", purpose: "ask", answer: true }], ["turn.done", {}]], turn("二")];
  await answer("p1", true);
  await vi.waitFor(() => expect(server.posts.map((post) => post.path)).toEqual(["/api/chat", "/api/pauses/p1", "/api/chat"]));
});

test("a yes in words is not taken for rows that look otherwise on the screen, and a question beside them is answered", async () => {
  const asked: JsonObject = { pause: "p1", kind: "approval", purpose: "approve", schema: {}, text: "批准？", calls: [], shown: "s1" };
  server.script = [[["turn.started", { message: "一" }], ["pause.opened", asked]], turn("第三处呢", ["text.done", { text: "第三处是定金" }])];
  submit("一");
  await vi.waitFor(() => expect(openPauses.value).toHaveLength(1));
  noteRows("call-1", true);
  submit("第三处呢");
  await vi.waitFor(() => expect(texts()).toEqual(["第三处是定金"]));
  server.refuse = Response.json({ error: { code: "approval_changed", message: "it was changed", hint: "" } }, { status: 409 });
  submit("好的");
  await vi.waitFor(() => expect(draft.value).toBe("好的"));
  expect(problem.value).toBe(sayChat("rowsChanged"));
  expect(server.posts[1]?.body["shown"]).not.toBe("s1");
  noteRows("call-1", false);
  expect(problem.value).toBe("");
});

test("words that leave the rows as they were chosen leave the ticks alone", async () => {
  const asked: JsonObject = { pause: "p1", kind: "approval", purpose: "approve", schema: {}, text: "批准？", calls: [], chosen_rows: ["a"], shown: "s1" };
  server.script = [[["turn.started", { message: "一" }], ["pause.opened", asked]], turn("再说吧", ["pause.changed", { pause: "p1", chosen_rows: ["a"], in_doubt: true, shown: "s2" }])];
  submit("一");
  await vi.waitFor(() => expect(openPauses.value).toHaveLength(1));
  const chosen = openPauses.value[0]?.pause.chosen;
  submit("再说吧");
  await vi.waitFor(() => expect(openPauses.value[0]?.pause.inDoubt).toBe(true));
  expect(openPauses.value[0]?.pause.chosen).toBe(chosen);
});

test("an answer that does not fit leaves the question open and says why", async () => {
  server.script = [[["turn.started", { message: "一" }], ["pause.opened", { pause: "p1", kind: "question", purpose: "ask", schema: {}, text: "几个？" }]]];
  submit("一");
  await vi.waitFor(() => expect(openPauses.value).toHaveLength(1));
  server.refuse = Response.json({ error: { code: "invalid_input", message: "the answer does not fit", hint: "" } }, { status: 400 });
  expect(await answer("p1", "many")).toBe(false);
  expect([unanswered.value, problem.value, openPauses.value.length]).toEqual(["p1", "the answer does not fit", 1]);
});

test.each([
  ["is not there", () => Response.json({ error: { code: "record_not_found", message: "gone", hint: "" } }, { status: 404 }), true],
  ["cannot be reached now", () => Promise.reject(new TypeError("offline")), false],
])("a conversation that %s", async (_, respond, expected) => {
  vi.stubGlobal("fetch", async () => respond());
  await open("c9");
  expect(lost.value).toBe(expected);
});

test("a conversation is followed once it is open", async () => {
  server.script = [turn("一", ["text.done", { text: "答一" }])];
  submit("一");
  await vi.waitFor(() => expect(link.value).toBe("open"));
  await vi.waitFor(() => expect(texts()).toEqual(["答一"]));
});
