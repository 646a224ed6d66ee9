import { describe, expect, it } from "vitest";

import { evalCases, highlighted, hitWords, routeView } from "../../src/console/route-model";

const decision = {
  verdict: "auto",
  skill: "weekly-report",
  skills: ["weekly-report"],
  route: "search",
  message: "帮我写本周周报",
  candidates: [
    { skill: "meeting-minutes", score: 0.62, lexical: 0.05, vector: null, trigger_hits: [], negated: [], why: [] },
    {
      skill: "weekly-report",
      score: 0.995,
      lexical: 0.3,
      vector: 0.28,
      trigger_hits: ["周报"],
      negated: [],
      why: [{ feature: "words", value: 0.3, words: ["周报", "本周"], text: "its words cover 30% of the message: 周报, 本周" }],
    },
    { skill: "other", score: 0.1, lexical: 0, vector: 0.1, trigger_hits: [], negated: ["PPT"], why: [] },
  ],
  filtered: [{ skill: "slides", code: "host", text: "only for wpp" }],
  notes: [],
  vectors: true,
  meant: 0.998,
  elapsed_ms: 22.6,
  thresholds: { auto: 0.8, suggest: 0.6, meant: 0.5 },
  titles: { "weekly-report": "周报" },
};

describe("a decision", () => {
  const view = routeView(decision);

  it("puts the best candidate first, with its title and its band", () => {
    expect(view.candidates.map((one) => [one.title, one.band])).toEqual([
      ["周报", "auto"],
      ["meeting-minutes", "suggest"],
      ["other", "none"],
    ]);
  });

  it("says how far ahead the first is", () => {
    expect(view.margin).toBeCloseTo(0.375);
  });

  it("has no one ahead when two skills are asked for", () => {
    expect(routeView({ ...decision, skills: ["weekly-report", "meeting-minutes"] }).margin).toBeNull();
  });

  it("takes the usual thresholds when the server names none", () => {
    expect(routeView({ ...decision, thresholds: null }).thresholds).toEqual({ auto: 0.8, suggest: 0.6 });
  });

  it("is shown even when it is nearly empty", () => {
    expect(routeView({})).toMatchObject({ verdict: "none", candidates: [], margin: null, meant: null });
  });

  it("knows the words that were hit", () => {
    expect(hitWords(view.candidates[0]!)).toEqual(["周报", "本周"]);
  });
});

describe("a message with its hits", () => {
  it.each([
    [
      "帮我写本周周报",
      ["周报"],
      [
        ["帮我写本周", false],
        ["周报", true],
      ],
    ],
    [
      "Weekly Report please",
      ["weekly report", "report"],
      [
        ["Weekly Report", true],
        [" please", false],
      ],
    ],
    [
      "then write the report",
      ["the", "report"],
      [
        ["then write ", false],
        ["the", true],
        [" ", false],
        ["report", true],
      ],
    ],
    ["一模一样", [], [["一模一样", false]]],
    [
      "🙂好🙂",
      ["好"],
      [
        ["🙂", false],
        ["好", true],
        ["🙂", false],
      ],
    ],
  ] as [string, string[], [string, boolean][]][])("%s", (message, words, pieces) => {
    expect(highlighted(message, words).map((piece) => [piece.text, piece.hit])).toEqual(pieces);
  });

  it("loses no letter", () => {
    const message = "把 A/B 测试写成周报, 周报!";
    expect(
      highlighted(message, ["周报", "b"])
        .map((piece) => piece.text)
        .join(""),
    ).toBe(message);
  });
});

describe("a case for evals", () => {
  const view = routeView(decision);

  it("of a right choice triggers it", () => {
    expect(evalCases(view, "weekly-report")).toEqual({ "weekly-report": [{ query: "帮我写本周周报", should_trigger: true }] });
  });

  it("of a wrong choice also says that it should not have", () => {
    expect(evalCases(view, "meeting-minutes")).toEqual({
      "meeting-minutes": [{ query: "帮我写本周周报", should_trigger: true }],
      "weekly-report": [{ query: "帮我写本周周报", should_trigger: false }],
    });
  });

  it("of no skill only says that", () => {
    expect(evalCases(view, null)).toEqual({ "weekly-report": [{ query: "帮我写本周周报", should_trigger: false }] });
  });
});
