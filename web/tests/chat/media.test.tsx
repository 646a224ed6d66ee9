import { expect, test } from "vitest";
import { changedSince } from "../../src/chat/media";
import type { Turn } from "../../src/events/state";

const card = (file: string, path: string, sha256: string) => ({ file, path, sha256 });

function turnsOf(...cards: ReturnType<typeof card>[]): Turn[] {
  return cards.map((data) => ({ items: [{ type: "media", key: data.file, kind: "file", data }] }) as unknown as Turn);
}

test("a card whose file was taken back or written anew later says so", () => {
  const written = card("call-1-file-1", "合同.docx", "aa");
  const undone = card("call-2-file-1", "合同.docx", "bb");
  const turns = turnsOf(written, card("call-3-file-1", "other.docx", "cc"), undone);
  expect(changedSince(written, turns)).toBe(true);
  expect(changedSince(undone, turns)).toBe(false);
});

test("a file that was written with the same bytes again has not changed", () => {
  const first = card("call-1-file-1", "report.pdf", "aa");
  expect(changedSince(first, turnsOf(first, card("call-2-file-1", "report.pdf", "aa")))).toBe(false);
});
