import { describe, expect, it } from "vitest";
import { worded } from "../../src/console/span-words";
import { timelineOf } from "../../src/console/spans";
import type { StoredEvent } from "../../src/generated/api";

const [schema = ""] = Object.values(import.meta.glob<string>("../../../docs/reference/events.schema.json", { query: "?raw", import: "default", eager: true }));
const kinds = [...new Set([...schema.matchAll(/"const": "([a-z]+(?:\.[a-z]+)+|chart|map|table|image|file|tasks|todos|suggestions|reflect|report|error)"/g)].map((found) => found[1] as string))];

function spanOf(kind: string, data: object = {}) {
  const event = { conversation: "c", turn: "t", seq: 1, at: "2026-01-20T08:00:00Z", kind, data: { tasks: [], todos: [], spec: {}, ...data } };
  return timelineOf([event as unknown as StoredEvent]).spans.map(worded)[0];
}

it("knows the kinds of events", () => expect(kinds.length).toBeGreaterThan(30));

describe("a line of the timeline", () => {
  it.each(kinds)("has words for %s, not the name of its kind", (kind) => {
    expect(spanOf(kind)?.label).not.toBe(kind);
  });

  it("shows the words of a reply without the marks of Markdown", () => {
    expect(spanOf("text.done", { text: "## 理由\n\n3. **第 10 段**：`x`" })?.detail).toBe("理由 3. 第 10 段：x");
  });
});
