import { render } from "preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { setLanguage } from "../../src/app/language";
import { PlanBench } from "../../src/console/plan-bench";
import { casesOf, differencesOf } from "../../src/console/plan-bench-model";

const result = (id: string, state: string) => ({ id, host: "wps", request: `请求 ${id}`, state, repairs: 1, draft_ms: 3, write_ms: 40, tokens: 0, question: "", misses: state === "wrong" ? ["table: none"] : [] });
const run = (name: string, ...results: object[]) => ({ name, at: "2026-01-20T08:00:00Z", set: "shipped", host: "all", mode: "builtin", summary: { right: 1, total: 2 }, results });
const RUNS = { a: run("a", result("x", "right"), result("y", "right")), b: run("b", result("x", "wrong"), result("y", "right")) };
const BENCH = { sets: [{ id: "shipped", count: 30 }], hosts: ["all", "wps"], modes: ["builtin", "canned"], runs: [RUNS.b, RUNS.a] };
const STREAM = [{ type: "started", total: 1 }, { type: "result", result: result("wps-01", "asked") }, { type: "finished" }];

const root = (): HTMLElement => document.getElementById("app") as HTMLElement;
let found = true;

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
  setLanguage("zh");
  found = true;
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    const name = new URL(address, "http://x").pathname.split("/").at(-1) ?? "";
    if (!found) return new Response(JSON.stringify({ error: { code: "not_found", message: "x", hint: "" } }), { status: 404 });
    if (init.method === "POST") return new Response(STREAM.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("") + "data: [DONE]\n\n");
    return new Response(JSON.stringify(name === "plan-bench" ? BENCH : RUNS[name as "a" | "b"]));
  });
});

afterEach(() => render(null, root()));

describe("the plan bench", () => {
  it("compares two saved runs, what is no longer right first", async () => {
    expect(differencesOf(casesOf(RUNS.a as never), casesOf(RUNS.b as never))).toEqual([{ id: "x", request: "请求 x", base: "right", other: "wrong" }]);
    render(<PlanBench />, root());
    await vi.waitFor(() => expect(root().textContent).toContain("请求 x"));
    for (const word of ["正确", "写错", "自带用例 · 30"]) expect(root().textContent).toContain(word);
  });

  it("runs the chosen cases and shows each result as it comes", async () => {
    render(<PlanBench />, root());
    await vi.waitFor(() => expect(root().querySelector("button.primary")).not.toBeNull());
    root().querySelector<HTMLButtonElement>("button.primary")?.click();
    await vi.waitFor(() => expect(root().textContent).toContain("已完成 1 / 1"));
    for (const word of ["请求 wps-01", "提问", "40 ms"]) expect(root().textContent).toContain(word);
    const heads = [...(root().querySelector("thead")?.querySelectorAll("th") ?? [])].map((head) => head.textContent);
    expect(heads).toContain("请求");
    expect(heads).not.toContain("说明"); // no case has one
  });

  it("says what to do when the pack is not loaded", async () => {
    found = false;
    setLanguage("en");
    render(<PlanBench />, root());
    await vi.waitFor(() => expect(root().textContent).toContain("--pack office"));
  });
});
