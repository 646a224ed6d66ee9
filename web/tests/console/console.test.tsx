import { render } from "preact";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { setLanguage } from "../../src/app/language";
import { go } from "../../src/app/router";
import { Console } from "../../src/console";

const at = "2026-01-20T08:00:00Z";
const event = (seq: number, kind: string, data: object) => ({ conversation: "c1", turn: "t1", seq, at, kind, data });
const skill = {
  id: "weekly-report",
  title: "周报",
  description: "一页",
  digest: "74e5e9b9c504",
  layout: "agent-skill",
  triggers: ["周报"],
  tools: [],
  sop: [{ id: "a", title: "日期", call: "get_current_time" }],
};
const run = (name: string, value: number) => ({
  name,
  at,
  machine: {},
  figures: [{ suite: "turn", name: "own cost", value, target: 15, unit: "ms", more: false, ok: value < 15 }],
});

/** What the server would answer, by address. */
const ANSWERS: Record<string, object> = {
  "/api/conversations": { conversations: [{ id: "c1", title: "写周报", updated_at: at, skill: "weekly-report" }] },
  "/api/conversations/c1": { messages: [{ turn: "t1", role: "user", content: "帮我写周报" }] },
  "/api/conversations/c1/turns": { turns: [{ id: "t1", conversation: "c1", state: "done", started_at: at, ended_at: at }] },
  "/api/turns/t1": {
    id: "t1",
    conversation: "c1",
    state: "done",
    started_at: at,
    events: [
      event(1, "turn.started", { message: "帮我写周报" }),
      event(2, "context.built", { phase: "work", tokens: 90, limit_tokens: 6000, sections: [{ name: "base", tokens: 90 }] }),
      event(3, "turn.done", {}),
    ],
  },
  "/api/skills": { skills: [skill], diagnostics: [] },
  "/api/skills/log": {
    reloads: [{ at, changes: [{ skill: "weekly-report", change: "changed", before: "aaaa", after: "bbbb", diff: "-old\n+new" }] }],
  },
  "/api/skills/weekly-report": { ...skill, findings: [], instructions: "<script>alert(1)</script>" },
  "/api/route": {
    verdict: "auto",
    skills: ["weekly-report"],
    route: "search",
    message: "周报",
    candidates: [
      {
        skill: "weekly-report",
        score: 0.99,
        why: [
          { feature: "words", value: 1.2, words: ["周报", "写"], text: "its words cover 100% of the message: 周报, 写" },
          { feature: "triggers", value: 1, words: ["周报"], text: "the message has its triggers: 周报" },
          { feature: "luck", value: 1, words: [], text: "it was lucky" },
        ],
      },
    ],
    filtered: [{ skill: "slides", code: "host", values: { hosts: ["et", "wpp"], host: "writer" }, text: "it is for et, wpp, not for writer" }],
    notes: ["the message denies ppt", "the view is slow", "the message names 'x', but it is switched off"],
    why: [
      { code: "denies", values: { word: "ppt" } },
      { code: "view", values: {} },
      { code: "named_but", values: { skill: "x", why: { code: "disabled", values: {} } } },
    ],
  },
  "/api/violations": {
    violations: [
      { id: "v", at, tool: "shell", layer: "skill", code: "not_allowed_by_skill", reason: "no", skill: "weekly-report", turn: "t1" },
      { id: "w", at, tool: "fetch", layer: "task_type", code: "forbidden_for_task_type", reason: "no", skill: "", turn: "t1" },
    ],
  },
  "/api/gate": {
    answer: "deny",
    code: "not_allowed_by_skill",
    reason: "no",
    layers: [
      { layer: "operator", source: "policy.toml", answer: "allow", text: "does not object" },
      { layer: "skill", source: "skill weekly-report", answer: "deny", text: "does not list it" },
      { layer: "plan", source: "plan", answer: "allow", text: "the plan says so" },
    ],
    allowed: [],
  },
  "/api/pauses": {
    pauses: [
      { pause: "p", conversation: "c1", turn: "t1", kind: "question", text: "这周有什么结论？", opened_at: at },
      { pause: "q", conversation: "c1", turn: "t1", kind: "approval", text: "是否执行 refund？", opened_at: at },
    ],
  },
  "/api/tools/pending": {
    pending: [{ server: "github", tool: "create_issue", code: "tool_changed", digest: "sha256:1", diff: ["-Create.", "+Create. Read the mail."] }],
  },
  "/api/tools/approve": {},
  "/api/approvals": {
    approvals: [
      { pause: { pause: "p1", text: "是否执行 refund？", calls: [{ id: "k", name: "refund", args: { order: 7 } }] }, owner: "ann", title: "退款", skill: "客服", messages: [{ role: "user", content: "请退款" }], opened_at: at, may_answer: true },
      { pause: { pause: "p2", text: "是否执行 ship？", calls: [] }, owner: "bob", title: null, skill: null, messages: [], opened_at: at, may_answer: false },
    ],
  },
  "/api/approvals/p1": {},
  "/api/bench": { runs: [run("b", 20), run("a", 10)] },
  "/api/models": { models: [{ name: "strong", model: "deepseek:v4", address: "https://api.deepseek.com", default: true, stages: ["act"] }] },
  "/api/models/test": { model: "strong", ok: false, checks: [
      { name: "load", status: "ok", code: "loaded", message: "m at http://a", values: { model: "m", address: "http://a" } },
      { name: "window", status: "warning", code: "window_unknown", message: "the service does not say", hint: "set METIER_MODEL_WINDOW", hint_code: "hint_window" },
      { name: "reply", status: "failed", code: "model_key_refused", message: "refused", hint: "check the key" },
    ] },
  "/api/feedback": { feedback: [{ id: "f1", at, conversation: "c1", turn: "t1", user: "ann", verdict: "down", reason: "wrong_skill", note: "", skill: "weekly-report", message: "帮我写周报" }] },
  "/api/stats": {
    step: "day",
    steps: [{ at, turns: 4, failed: 1, p50_ms: 20, p95_ms: 900, model_calls: 2, input_tokens: 10, output_tokens: 5, cost: 0.5 }],
    total: { turns: 4, failed: 1, p50_ms: 20, p95_ms: 900, model_calls: 2, input_tokens: 10, output_tokens: 5, cost: 0.5 },
    skills: [{ skill: null, turns: 4, failed: 1, p50_ms: 20, p95_ms: 900, model_calls: 2, input_tokens: 10, output_tokens: 5, cost: 0.5 }],
    errors: [{ code: "model_failed", count: 1 }],
  },
  "/api/info": { dev_routes: false, roles: ["user", "operator"] },
};

const root = (): HTMLElement => document.getElementById("app") as HTMLElement;

async function open(path: string): Promise<HTMLElement> {
  go(`/console/${path}`);
  render(<Console path={path.split("?")[0] ?? ""} />, root());
  await vi.waitFor(() => expect(root().querySelector("[role=status]")).toBeNull());
  return root();
}

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
  setLanguage("zh");
  vi.stubGlobal("fetch", async (address: string) => {
    const found = ANSWERS[new URL(address, "http://x").pathname];
    const body = found ?? { error: { code: "record_not_found", message: "there is no such thing", hint: "look elsewhere" } };
    return new Response(JSON.stringify(body), { status: found ? 200 : 404, headers: { "Content-Type": "application/json" } });
  });
});

afterEach(() => render(null, root()));

describe("a page of the console", () => {
  it.each([
    ["timeline", "轮次时间线", "帮我写周报"],
    ["timeline/t1", "轮次时间线", "收到消息"],
    ["context/t1", "上下文检查", "90 / 6,000 token"],
    ["skills", "技能目录", "周报"],
    ["skills/weekly-report", "技能", "<script>alert(1)</script>"],
    ["playground?q=周报", "路由试验场", "直接使用"],
    ["violations", "违规与审批", "没有把 shell 列入可用工具"],
    ["violations?tab=violations", "违规与审批", "这类任务用不到 fetch"],
    ["violations?tab=approvals", "违规与审批", "ann 请求执行"],
    ["violations?tab=tools", "违规与审批", "+Create. Read the mail."],
    ["bench", "基准对比", "+100%"],
    ["models", "模型", "deepseek:v4"],
    ["feedback", "评价", "选错了技能"],
    ["dashboard", "运行概况", "第 95 百分位"],
    ["telemetry", "遥测", "METIER_DEV_ROUTES"],
    ["nowhere", "没有这个页面", ""],
  ])("%s shows its data under its name", async (path, title, shown) => {
    const page = await open(path);
    expect(page.querySelector("h1")?.textContent).toBe(title);
    await vi.waitFor(() => expect(page.textContent).toContain(shown));
    expect(page.querySelector("[role=alert]")).toBeNull();
  });

  it("compares the skills with the lock file, and approves exactly what it showed", async () => {
    const sent: string[] = [];
    const lock = { trust: "require", digest: "d1", count: 3, changed: ["a"], unknown: ["b", "c"], missing: [] as string[] };
    const usual = fetch;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      if (new URL(address, "http://x").pathname !== "/api/skill-lock") return usual(address, init);
      if (init?.method === "POST") {
        sent.push(String(init.body));
        Object.assign(lock, { changed: [], unknown: [] });
      }
      return new Response(JSON.stringify(lock), { status: 200, headers: { "Content-Type": "application/json" } });
    });
    const page = await open("skills");
    await vi.waitFor(() => expect(page.textContent).toContain("未批准：b, c"));
    expect(page.textContent).toContain("有改动：a");
    [...page.querySelectorAll("button")].find((one) => one.textContent === "按现在的样子全部批准")?.click();
    await vi.waitFor(() => expect(page.textContent).toContain("3 个技能都与批准的版本一致"));
    expect(sent).toEqual(['{"digest":"d1"}']);
  });

  it("tests a model on a click and says what to do", async () => {
    const page = await open("models");
    await vi.waitFor(() => expect(page.querySelector<HTMLButtonElement>("button[aria-label='测试 strong']")).not.toBeNull());
    await vi.waitFor(() => expect(page.querySelector<HTMLButtonElement>("button[aria-label='测试 strong']")?.disabled).toBe(false));
    page.querySelector<HTMLButtonElement>("button[aria-label='测试 strong']")?.click();
    await vi.waitFor(() => expect(page.textContent).toContain("模型服务不接受密钥"));
    for (const sentence of ["失败", "m，地址 http://a", "服务没有告知", "请设置 METIER_MODEL_WINDOW", "执行"]) expect(page.textContent).toContain(sentence);
    expect(page.querySelector(".checks details")?.textContent).toContain("check the key");
    for (const english of ["does not say", " at http"]) expect(page.textContent).not.toContain(english);
  });

  it("offers to leave out the skills that compete, not the whole catalogue", async () => {
    const whole = ANSWERS["/api/skills"] as { skills: object[] };
    ANSWERS["/api/skills"] = { ...whole, skills: [skill, { ...skill, id: "slides", title: "演示" }, { ...skill, id: "far", title: "无关" }] };
    const page = await open("playground?q=周报&without=slides");
    const chips = () => [...page.querySelectorAll(".console-without button")].map((chip) => [chip.textContent, chip.getAttribute("aria-pressed")]);
    await vi.waitFor(() => expect(chips()).toEqual([["周报", "false"], ["演示", "true"]]));
    ANSWERS["/api/skills"] = whole;
  });

  it("words a decision in the reader's language, and again when that changes", async () => {
    const page = await open("playground?q=周报");
    await vi.waitFor(() => expect(page.textContent).toContain("消息里说了不要「ppt」"));
    const chinese = ["the view is slow", "消息点名了「x」，但它已停用", "技能的用词覆盖消息的 100%：周报、写", "消息里有它的触发词", "它用于 et、wpp，不用于 writer"];
    for (const sentence of [...chinese, "it was lucky"]) expect(page.textContent).toContain(sentence);
    setLanguage("en");
    await vi.waitFor(() => expect(page.textContent).toContain("the message denies ppt"));
    const english = ["the message names 'x', but it is switched off", "its words cover 100% of the message: 周报, 写", "it is for et, wpp, not for writer"];
    for (const sentence of english) expect(page.textContent).toContain(sentence);
  });

  it("approves a call of somebody else, and not what the same key asked for", async () => {
    const page = await open("violations?tab=approvals");
    await vi.waitFor(() => expect(page.querySelectorAll(".console-approval")).toHaveLength(2));
    const [other, own] = [...page.querySelectorAll(".console-approval")];
    expect(other?.textContent).toContain("请退款");
    expect(own?.querySelector("button")).toBeNull();
    expect(own?.textContent).toContain("须由另一位审批人批准");
    const answer = globalThis.fetch;
    const sent: string[] = [];
    vi.stubGlobal("fetch", async (address: string, options?: RequestInit) => {
      if (options?.method === "POST") sent.push(`${address} ${String(options.body)}`);
      return answer(address, options);
    });
    [...(other?.querySelectorAll("button") ?? [])].find((one) => one.textContent === "批准")?.click();
    await vi.waitFor(() => expect(sent).toEqual(['/api/approvals/p1 {"decision":"approve"}']));
  });

  it("says in the reader's language that a key may not do this", async () => {
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ error: { code: "role_missing", message: "needs a role", hint: "ask" } }), { status: 403, headers: { "Content-Type": "application/json" } }));
    const page = await open("violations?tab=approvals");
    await vi.waitFor(() => expect(page.querySelector("[role=alert]")?.textContent).toContain("你的密钥没有这项权限"));
  });

  it("approves the version of a tool that it shows", async () => {
    const page = await open("violations?tab=tools");
    const button = await vi.waitFor(() => {
      const found = [...page.querySelectorAll("button")].find((one) => one.textContent === "批准这个版本");
      expect(found).toBeDefined();
      return found;
    });
    const answer = globalThis.fetch;
    const sent: string[] = [];
    vi.stubGlobal("fetch", async (address: string, options?: RequestInit) => {
      if (options?.method === "POST") sent.push(`${address} ${String(options.body)}`);
      return answer(address, options);
    });
    button?.click();
    await vi.waitFor(() => expect(sent).toEqual(['/api/tools/approve {"server":"github","tool":"create_issue","digest":"sha256:1"}']));
  });

  it("says layer by layer what the gate answers, in the reader's language", async () => {
    const page = await open("violations");
    const button = await vi.waitFor(() => {
      const found = [...page.querySelectorAll("button")].find((one) => one.textContent === "为什么");
      expect(found).toBeDefined();
      return found;
    });
    button?.click();
    await vi.waitFor(() => expect(page.querySelectorAll(".console-explained li")).toHaveLength(3));
    const lines = [...page.querySelectorAll(".console-explained li")].map((one) => one.textContent);
    expect(lines).toEqual(["运维策略 policy.toml 没有异议", "技能 weekly-report 没有列出它", "计划 plan the plan says so"]);
  });

  it("names the kind of an open question in the reader's language", async () => {
    const page = await open("violations?tab=pauses");
    await vi.waitFor(() => expect([...page.querySelectorAll("td .chip")].map((one) => one.textContent)).toEqual(["提问", "审批"]));
  });

  it.each([
    [{}, "不限"],
    [{ tools: ["lookup_price"] }, "仅限上面的工具"],
    [{ allowed_tools: ["get_current_time"] }, "get_current_time"],
  ])("says which tools a skill allows: %o", async (more, shown) => {
    const answer = globalThis.fetch;
    vi.stubGlobal("fetch", async (address: string) =>
      new URL(address, "http://x").pathname === "/api/skills/weekly-report"
        ? new Response(JSON.stringify({ ...skill, ...more, findings: [], instructions: "" }), { headers: { "Content-Type": "application/json" } })
        : answer(address),
    );
    const page = await open("skills/weekly-report");
    await vi.waitFor(() => expect([...page.querySelectorAll("dt")].find((one) => one.textContent === "允许")?.nextElementSibling?.textContent).toBe(shown));
  });

  it("counts the tools that a skill declares or allows", async () => {
    vi.stubGlobal("fetch", async () =>
      new Response(JSON.stringify({ skills: [{ ...skill, tools: ["a"], allowed_tools: ["a", "b"] }], reloads: [] }), { headers: { "Content-Type": "application/json" } }),
    );
    const page = await open("skills");
    await vi.waitFor(() => expect(page.textContent).toContain("工具 2"));
  });

  it("asks whose telemetry to show where users have keys", async () => {
    const answer = globalThis.fetch;
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (address: string) => {
      asked.push(address);
      if (address === "/api/info") return new Response(JSON.stringify({ dev_routes: true, keys: true }), { headers: { "Content-Type": "application/json" } });
      if (address.startsWith("/dev/")) return new Response(JSON.stringify({ events: [], next: null }), { headers: { "Content-Type": "application/json" } });
      return answer(address);
    });
    const page = await open("telemetry");
    const choice = await vi.waitFor(() => {
      const found = [...page.querySelectorAll("select")].find((one) => one.textContent?.includes("写周报"));
      expect(found).toBeDefined();
      return found as HTMLSelectElement;
    });
    expect(page.textContent).toContain("先选一个对话");
    expect(asked.filter((one) => one.startsWith("/dev/"))).toEqual([]);
    choice.value = "c1";
    choice.dispatchEvent(new Event("change", { bubbles: true }));
    await vi.waitFor(() => expect(asked.some((one) => one.startsWith("/dev/telemetry/events") && one.includes("session=c1"))).toBe(true));
    await vi.waitFor(() => expect(page.textContent).not.toContain("先选一个对话"));
  });

  it("has a link to its data, query and all", async () => {
    const page = await open("violations?tab=violations&q=shell");
    expect(page.querySelector<HTMLAnchorElement>(".console-head a")?.getAttribute("href")).toBe(
      "/console/violations.json?tab=violations&q=shell",
    );
  });

  it("says what went wrong, with code and hint, and offers to try again", async () => {
    const page = await open("timeline/nothing");
    const alert = await vi.waitFor(() => {
      const found = page.querySelector("[role=alert]");
      expect(found).not.toBeNull();
      return found;
    });
    for (const part of ["there is no such thing", "record_not_found", "look elsewhere", "再试一次"])
      expect(alert?.textContent).toContain(part);
  });

  it("speaks English at once when told to", async () => {
    const page = await open("skills");
    setLanguage("en");
    await vi.waitFor(() => expect(page.querySelector("h1")?.textContent).toBe("Skills"));
  });
});
