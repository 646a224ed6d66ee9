import { beforeEach, describe, expect, it, vi } from "vitest";

import { loadCatalog, skills } from "../../src/chat/catalog";

let given: object;

beforeEach(() => {
  vi.stubGlobal("fetch", async (address: string) => {
    const body = address === "/api/skills" ? { skills: [{ id: "a", ...given }] } : { packs: [{ id: "p" }] };
    return new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });
  });
});

describe("the tools that a skill allows", () => {
  it.each([
    ["left to the default rules if it names none", {}, null],
    ["those it declares", { tools: ["lookup_price", { name: "refund" }], allowed_tools: null }, ["lookup_price", "refund"]],
    ["those it declares and those it lists", { tools: ["a"], allowed_tools: ["a", "b"] }, ["a", "b"]],
    ["none if its list is empty", { tools: [], allowed_tools: [] }, []],
  ])("are %s", async (_, skill, allowed) => {
    given = skill;
    await loadCatalog();
    expect(skills.value?.[0]?.allowed).toEqual(allowed);
  });
});
