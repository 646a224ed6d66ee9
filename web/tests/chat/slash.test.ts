import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { skills, type SkillCard } from "../../src/chat/catalog";
import { draft, picked } from "../../src/chat/outbox";
import { canSend, commandName, namedSkill, nearSkills, sendDraft, unknownSkill } from "../../src/chat/slash";

const card = (id: string, title: string): SkillCard => ({ id, title, description: "", examples: [], allowed: null, forbidden: [] });
const ALL = [card("weekly-report", "周报"), card("parameter-apply", "参数下发与撤销"), card("research", "Field research")];
let sent: { message: string; skill?: string }[] = [];

beforeEach(() => {
  sent = [];
  skills.value = ALL;
  [draft.value, picked.value, unknownSkill.value] = ["", null, null];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit): Promise<Response> => {
    if (path === "/api/chat") sent.push(JSON.parse(String(init.body)) as { message: string });
    if (path === "/api/skills") return Response.json({ skills: [{ id: "weekly-report", title: "周报", enabled: true }] });
    return Response.json({ packs: [{ id: "p" }], conversations: [], events: [] });
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a slash command is a name at the beginning, a path is none", () => {
  expect(["/weekly-report last week", "／周报", "/etc/hosts", "1/2", "/"].map(commandName)).toEqual(["weekly-report", "周报", null, null, null]);
});

test("a skill is named by id or title, whatever the case and the separators", () => {
  const named = (text: string): string | undefined => namedSkill(text, ALL)?.id;
  expect(["/Weekly_Report", "/周报，上周的", "/field research on tea", "/weekly"].map(named)).toEqual(["weekly-report", "weekly-report", "research", undefined]);
});

test("the skills near an unknown name are found", () => {
  expect(nearSkills("weekly-reprot", ALL)[0]?.id).toBe("weekly-report");
  expect(nearSkills("参数下发", ALL)[0]?.id).toBe("parameter-apply");
  expect(nearSkills("qqq", ALL)).toEqual([]);
});

test("an unknown skill is not sent but told, with those that are near", async () => {
  draft.value = "/weekly-reprot for March";
  await sendDraft();
  expect(sent).toEqual([]);
  expect(unknownSkill.value).toMatchObject({ name: "weekly-reprot", near: [{ id: "weekly-report" }] });
  expect(draft.value).toBe("/weekly-reprot for March");
});

test("a picked skill can be sent without a text", async () => {
  expect(canSend()).toBe(false);
  picked.value = { id: "parameter-apply", title: "参数下发与撤销" };
  expect(canSend()).toBe(true);
  await sendDraft();
  expect(sent.map((one) => [one.message, one.skill])).toEqual([["/parameter-apply", undefined]]);
  expect(picked.value).toBeNull();
});

test("Enter before the skills are there waits for them and picks the one that was meant", async () => {
  skills.value = null;
  draft.value = "/weekly";
  await sendDraft();
  expect(picked.value).toEqual({ id: "weekly-report", title: "周报" });
  expect([draft.value, unknownSkill.value, sent]).toEqual(["", null, []]);
});
