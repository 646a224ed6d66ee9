import { afterEach, expect, test } from "vitest";
import { ApiError } from "../../src/app/api";
import { language } from "../../src/app/language";
import { problemDetail, problemText } from "../../src/app/problem";

const BUSY = "conversation '8c601cbfa1984782ba7dbf867a7b5768' is busy: 'desk-7:2117:ab12cd34' runs turn '9560398dba7a41f4b1807b54dfc0a58c' until 10:23";

afterEach(() => (language.value = "en"));

test.each(["zh", "en"] as const)("a conversation that another process held is told in words, ids are behind the details (%s)", (told) => {
  language.value = told;
  const sentence = problemText(new ApiError(409, "conversation_busy", BUSY, "wait for that turn to end"));
  expect(sentence).not.toMatch(/[0-9a-f]{8}|:\d/);
  expect(sentence).not.toContain("desk-7");
  expect(problemDetail(sentence)).toContain("desk-7:2117");
});

test("names of things stay in a general sentence, ids and processes do not", () => {
  language.value = "zh";
  const message = "no file '合同.docx' for turn '9560398dba7a41f4b1807b54dfc0a58c' of 'desk-7:2117:ab12cd34'";
  expect(problemText(new ApiError(404, "path_not_found", message, ""))).toBe("找不到这个文件或文件夹。（「合同.docx」）");
});
