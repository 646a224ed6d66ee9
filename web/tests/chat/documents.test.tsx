import { beforeEach, describe, expect, it } from "vitest";
import { attached } from "../../src/chat/attachments";
import { documentNames, mentionOf } from "../../src/chat/documents/mention";
import { mentionWord, nameOf } from "../../src/chat/documents/viewing";

const file = (name: string) => ({ path: `attachments/001-${name}`, name, media_type: "x", bytes: 1, text_chars: 1 });

describe("documents of a conversation", () => {
  beforeEach(() => (attached.value = [file("合同.docx"), file("notes.txt")]));

  it("are offered after an @ that ends the text, and only those that fit", () => {
    expect(mentionWord("看看 @")).toBe("");
    expect(mentionWord("看看 @合")).toBe("合");
    expect(mentionWord("＠NOTES")).toBe("NOTES");
    expect(documentNames("NOTES")).toEqual(["notes.txt"]);
    expect(documentNames("无此文件")).toEqual([]);
    expect(mentionWord("a@合")).toBeNull();
    expect(mentionWord("@合同.docx 怎么样")).toBeNull();
  });

  it("are named with the place that was clicked", () => {
    expect(mentionOf("合同.docx", "p12")).toBe("@合同.docx#p12 ");
    expect(nameOf("attachments/001-合同.docx")).toBe("合同.docx");
    expect(nameOf("documents/合同.docx")).toBe("合同.docx");
  });
});
