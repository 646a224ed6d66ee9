import { beforeEach, expect, test } from "vitest";

import { setLanguage } from "../../src/app/language";
import { notesOf, routingOf } from "../../src/events/read";
import { said, saidReason } from "../../src/parts/said";
import { shorten } from "../../src/parts/shorten";

const note = { code: "unknown_near", values: { name: "pttx", near: ["/pptx", "/pdf"] }, text: "what the server said" };

beforeEach(() => setLanguage("zh"));

test("a sentence is said in the reader's language", () => {
  expect(said(note)).toBe("没有名为「pttx」的技能，相近的有：/pptx、/pdf");
  setLanguage("en");
  expect(said(note)).toBe("no skill is called 'pttx'; near: /pptx, /pdf");
});

test.each(["", "view", "of_tomorrow", "toString"])("the code %j is not known: the server's words stay", (code) => {
  expect(said({ ...note, code })).toBe("what the server said");
});

test("a sentence may stand in a sentence", () => {
  const values = { skill: "x", why: { code: "missing_tool", values: { tool: "search" } } };
  expect(said({ code: "named_but", values, text: "" })).toBe("消息点名了「x」，但它需要工具「search」，而这里没有");
});

test("the sentence of a pack inside of one is not known: the server's words stay", () => {
  const values = { skill: "x", because: { code: "by_format", values: { name: "a.xlsx" } } };
  expect(said({ code: "attached_as", values, text: "what the server said" })).toBe("what the server said");
});

test("a number is a value like any other", () => {
  expect(said({ code: "several", values: { count: 2 }, text: "" })).toBe("消息提出了 2 项要求");
});

test("what was stored before there were codes keeps its words", () => {
  const [old] = routingOf({ notes: ["the message denies ppt"] }).notes;
  expect(old && said(old)).toBe("the message denies ppt");
});

test("each sentence has the code at its place", () => {
  const data = { notes: ["a", "b"], why: [{ code: "no_words", values: {} }] };
  expect(notesOf(data)).toEqual([
    { code: "no_words", values: {}, text: "a" },
    { code: "", values: {}, text: "b" },
  ]);
});

test("a long text is cut after a clause or between words, never inside one", () => {
  expect(shorten("Reads files", 70)).toBe("Reads files");
  expect(shorten("Reads and edits your files: minutes, contracts", 40)).toBe("Reads and edits your files: minutes…");
  expect(shorten("Diagnoses rotating machines from vibration records", 30)).toBe("Diagnoses rotating machines…");
  expect(shorten("读懂并改写您自己的文件：会议纪要、合同审查", 30)).toBe("读懂并改写您自己的文件…");
});

test("a sentence that still waits for a value keeps the server's words", () => {
  expect(said({ code: "meaning", values: {}, text: "the server's words" })).toBe("the server's words");
});

test("a reason names its place among the skills, and the nearest one says so", () => {
  const reason = { feature: "meaning", value: 0.23, words: [], count: 55, text: "the server's words" };
  expect(saidReason({ ...reason, place: 2 })).toBe("语义接近度在 55 个技能中排第 2");
  expect(saidReason({ ...reason, place: 1 })).toBe("在 55 个技能中语义最接近");
  expect(saidReason(reason)).toBe("the server's words");
  expect(saidReason({ feature: "words", value: 0.8, text: "" })).toBe("技能的用词覆盖消息的 80%");
});
