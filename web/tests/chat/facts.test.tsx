import { render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { Facts } from "../../src/chat/facts";
import { conversation } from "../../src/chat/session";
import { replay } from "../../src/events/reducer";
import type { StoredEvent } from "../../src/generated/api";

const asked: string[] = [];
afterEach(() => vi.unstubAllGlobals());

function saved(seq: number, data: object): StoredEvent {
  const fact = { name: "scenario", value: "DT1", type: "text", title: "场景", label: "北京", source: "words", options: [], skill: "s", step: "match" };
  return { conversation: "c1", turn: "t1", seq, at: "2026-01-01T00:00:00Z", kind: "fact.saved", data: { ...fact, ...data } } as StoredEvent;
}

test("facts are shown, changed by their options and removed", async () => {
  vi.stubGlobal("fetch", async (path: string, init: RequestInit): Promise<Response> => {
    asked.push(`${init.method} ${path} ${init.body ?? ""}`.trim());
    return Response.json({ facts: [] });
  });
  const options = [
    { value: "DT1", label: "北京" },
    { value: "DT2", label: "上海" },
  ];
  const removed = { ...saved(4, {}), kind: "fact.removed", data: { name: "period", title: "时段" } } as StoredEvent;
  conversation.value = replay("c1", [saved(1, { value: "DT2" }), saved(2, { options }), saved(3, { name: "period", title: "时段" }), removed]);
  expect(conversation.value.facts.map((fact) => fact.name)).toEqual(["scenario"]);
  const place = document.createElement("div");
  render(<Facts />, place);
  const select = place.querySelector("select") as HTMLSelectElement;
  expect([...select.options].map((one) => one.text)).toEqual(["北京", "上海"]);
  select.value = "1";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  (place.querySelector("button") as HTMLButtonElement).click();
  const changes = (): string[] => asked.filter((one) => !one.startsWith("GET ")); // what else the page reads meanwhile is not meant
  await vi.waitFor(() => expect(changes()).toEqual(['PATCH /api/conversations/c1/facts/scenario {"value":"DT2"}', "DELETE /api/conversations/c1/facts/scenario"]));
});

test("a fact is not claimed while a question asks which of its values holds", () => {
  const options = [
    { value: "pump", label: "1号泵" },
    { value: "fan", label: "2号风机" },
  ];
  const opened = (choices: object[]): StoredEvent => ({ ...saved(2, {}), kind: "pause.opened", data: { pause: "p", kind: "question", purpose: "ask", text: "哪一台？", choices } }) as StoredEvent;
  const shownWith = (choices: object[]): string => {
    conversation.value = replay("c1", [saved(1, { value: "pump", label: "1号泵", options }), opened(choices)]);
    const place = document.createElement("div");
    render(<Facts />, place);
    return place.querySelector("select") ? "select" : (place.querySelector(".fact")?.textContent ?? "");
  };
  expect(shownWith([{ text: "1号泵", value: "pump" }, { text: "2号风机", value: "fan" }])).toMatch(/等你选择|waiting for your choice/);
  expect(shownWith([{ text: "继续", value: true }, { text: "不", value: false }])).toBe("select");
  expect(shownWith([])).toBe("select");
});
