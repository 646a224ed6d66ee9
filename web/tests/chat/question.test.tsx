import { render } from "preact";
import { expect, test } from "vitest";
import { QuestionForm } from "../../src/chat/question";
import type { Pause } from "../../src/events/state";
import type { Json } from "../../src/generated/api";

function shown(value: Json): string {
  const pause = { id: "p", kind: "question", schema: { type: "string" }, choices: [], calls: [], show: value } as unknown as Pause;
  const host = document.createElement("div");
  render(<QuestionForm pause={pause} busy={false} onAnswer={() => undefined} />, host);
  return host.textContent ?? "";
}

test("what a question shows is a table or a list and never JSON", () => {
  const rows = [
    { 方面: "收入", 权重: 3 },
    { 方面: "成长", 权重: 5 },
  ];
  for (const value of [rows, { table: rows }, { 方面: "收入", 权重: 3 }, ["收入", 3]] as Json[]) {
    const text = shown(value);
    expect(text).toContain("收入");
    expect(text).not.toContain("{");
    expect(text).not.toContain('"');
  }
});
