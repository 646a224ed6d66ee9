import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askForNotices, noticeState, notify } from "../../src/app/notices";
import { asksReason, giveReason, loadRatings, rate, ratings } from "../../src/chat/feedback";
import { loadWaiting, noticeChanges, titleWith, waiting, waitingCount, watchWaiting } from "../../src/chat/waiting";
import type { Conversation, TurnState } from "../../src/events/state";

let asked: string[] = [];
let shown: string[] = [];
let refuses = false;

beforeEach(() => {
  [asked, shown, refuses] = [[], [], false];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit): Promise<Response> => {
    asked.push(`${init.method ?? "GET"} ${path} ${String(init.body ?? "")}`.trim());
    if (refuses) return Response.json({ error: { code: "gone", message: "no", hint: "" } }, { status: 404 });
    if (path === "/api/waiting") return Response.json({ conversations: { a: 2 }, approvals: 1 });
    return Response.json({ feedback: [{ turn: "t1", verdict: "down" }] });
  });
  vi.stubGlobal(
    "Notification",
    class {
      static permission = "default";
      static requestPermission = async (): Promise<string> => "granted";
      constructor(title: string) {
        shown.push(title);
      }
    },
  );
  noticeState.value = "default";
});
afterEach(() => vi.unstubAllGlobals());

test("what waits is counted and stands in the title", async () => {
  waiting.value = { conversations: {}, approvals: 0 };
  expect(titleWith("Metier")).toBe("Metier");
  await loadWaiting();
  expect([waitingCount.value, titleWith("Metier")]).toEqual([3, "(3) Metier"]);
});

const talk = (state: TurnState, seconds: number): Conversation => {
  const started = "2026-03-11T08:00:00Z";
  const ended = new Date(Date.parse(started) + seconds * 1000).toISOString();
  const turn = { id: "t", message: "hi", started, ended, waited_ms: 0, state, items: [], routing: null, suggestions: [], usage: null, failure: null };
  return { id: "c", seq: 1, turns: [turn], skill: null, plan: null, todos: [] } as unknown as Conversation;
};

test("a notice needs a permission, a hidden page, and a turn that asks or ran for long", async () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  noticeChanges(talk("running", 0), talk("done", 60));
  expect(shown).toEqual([]);
  await askForNotices();
  noticeChanges(talk("running", 0), talk("done", 2));
  expect(shown).toEqual([]);
  noticeChanges(talk("running", 0), talk("done", 60));
  noticeChanges(talk("running", 0), talk("paused", 2));
  expect(shown).toHaveLength(2);
  await askForNotices(); // a second click switches them off
  notify("muted");
  await askForNotices();
  hidden.mockReturnValue(false);
  notify("seen");
  expect(shown).toHaveLength(2);
  hidden.mockRestore();
});

test("a conversation that waits is told of once", async () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  noticeState.value = "granted";
  waiting.value = { conversations: {}, approvals: 1 };
  const stop = watchWaiting();
  await vi.waitFor(() => expect(waiting.value.conversations).toEqual({ a: 2 }));
  waiting.value = { conversations: {}, approvals: 1 };
  noticeChanges(talk("running", 0), { ...talk("paused", 2), id: "a" });
  await loadWaiting();
  expect(shown).toHaveLength(1);
  waiting.value = { conversations: {}, approvals: 0 };
  await loadWaiting();
  expect(shown).toHaveLength(2); // an approval of somebody else
  stop();
  hidden.mockRestore();
});

test("a rating is shown at once, taken back by the same thumb, and undone when the server refuses", async () => {
  await loadRatings("c");
  expect(ratings.value.get("t1")).toBe("down");
  await rate("t2", "down");
  expect([ratings.value.get("t2"), asksReason.value]).toEqual(["down", "t2"]);
  await giveReason("t2", "slow", "a minute");
  await rate("t2", "down");
  expect(ratings.value.has("t2")).toBe(false);
  refuses = true;
  await expect(rate("t2", "up")).rejects.toThrow("no");
  expect(ratings.value.has("t2")).toBe(false);
  expect(asked.slice(1, 4)).toEqual([
    'PUT /api/turns/t2/feedback {"verdict":"down"}',
    'PUT /api/turns/t2/feedback {"verdict":"down","reason":"slow","note":"a minute"}',
    "DELETE /api/turns/t2/feedback",
  ]);
});
