import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listed } from "../../src/chat/conversations";
import { chooseModel, chosenModel, hasChoice, keepChoice, loadModels, models, showChoice, usedModel } from "../../src/chat/model-choice";
import { problem } from "../../src/chat/session";
import { replay } from "../../src/events/reducer";
import { made } from "../events/made";

let stored: Record<string, string | null> = {};
let asked: string[] = [];
let refused = false;

beforeEach(() => {
  stored = { a: "strong", b: null };
  asked = [];
  refused = false;
  listed.value = null;
  problem.value = "";
  chosenModel.value = null;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit): Promise<Response> => {
    asked.push(`${init.method ?? "GET"} ${path}`);
    if (path === "/api/models") return Response.json({ models: [{ name: "small", default: true }, { name: "strong", default: false }] });
    const id = path.split("/").at(-1) ?? "";
    if (init.method !== "PATCH") return Response.json({ id, model: stored[id] ?? null });
    if (refused) return Response.json({ error: { code: "model_not_found", message: "no such model", hint: "" } }, { status: 404 });
    stored[id] = (JSON.parse(String(init.body)) as { model: string | null }).model;
    return Response.json({ id });
  });
});
afterEach(() => vi.unstubAllGlobals());

test("the choice of a conversation is read, and a new one has none", async () => {
  await loadModels();
  expect(hasChoice.value).toBe(true);
  await showChoice("a");
  expect(chosenModel.value).toBe("strong");
  await showChoice(null);
  expect(chosenModel.value).toBeNull();
});

test("the last conversation that was opened counts", async () => {
  await loadModels();
  await Promise.all([showChoice("a"), showChoice("b")]);
  expect(chosenModel.value).toBeNull();
});

test("a choice made before the conversation began stays with it", async () => {
  await loadModels();
  await chooseModel(null, "strong");
  keepChoice("b");
  await showChoice("b");
  expect([chosenModel.value, stored["b"]]).toEqual(["strong", "strong"]);
});

test("a choice that the server refuses is undone, and the reader is told", async () => {
  await loadModels();
  await showChoice("a");
  refused = true;
  await chooseModel("a", "small");
  expect([chosenModel.value, stored["a"]]).toEqual(["strong", "strong"]);
  expect(problem.value).toContain("This model is not configured.");
});

test("without a choice nothing is asked of the conversation", async () => {
  models.value = [];
  await showChoice("a");
  expect(asked).toEqual([]);
});

test("who chose the model of a turn is read from its last call", () => {
  const turn = (data: Record<string, string>) => replay("c1", made(["turn.started", { message: "?" }], ["usage", { input_tokens: 1, output_tokens: 1, ...data }])).turns[0];
  expect(usedModel(turn({ name: "strong", chosen_by: "skill" }))).toEqual({ name: "strong", by: "skill" });
  expect(usedModel(turn({}))).toBeNull();
  expect(usedModel(undefined)).toBeNull();
});
