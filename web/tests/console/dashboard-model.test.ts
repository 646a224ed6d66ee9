import { beforeEach, expect, test } from "vitest";
import { language } from "../../src/app/language";
import { costBars, latencyBars, shownCost, shownShare, statsAddress, stepLabel, turnBars } from "../../src/console/dashboard-model";
import type { StatsInfo } from "../../src/generated/api";

const one = { turns: 4, failed: 1, p50_ms: 20, p95_ms: 900, model_calls: 2, input_tokens: 10, output_tokens: 5, cost: null };
const STATS: StatsInfo = { step: "day", steps: [{ at: "2026-03-11T00:00:00+00:00", ...one }], total: one, skills: [], errors: [] };

beforeEach(() => {
  language.value = "en";
});

test("bars have the figures of each step and say them", () => {
  expect(turnBars(STATS)).toEqual([{ label: "Mar 11", value: 4, part: 1, behind: 0, text: "4 (1 ✕)" }]);
  expect(latencyBars(STATS)[0]).toMatchObject({ value: 20, behind: 900, text: "p50 20 ms, p95 900 ms" });
  expect(costBars(STATS)[0]).toMatchObject({ value: 0, text: "–" });
});

test("a day is named by its date in UTC, whatever the reader's time zone", () => {
  expect(stepLabel("2026-03-11T00:00:00+00:00", "day")).toBe("Mar 11");
});

test("shares and costs of nothing are a dash", () => {
  expect([shownShare(0, 0), shownShare(1, 8), shownCost(null), shownCost(0.00312), shownCost(12.345)]).toEqual(["–", "12.5 %", "–", "0.0031", "12.35"]);
});

test("an unknown span is a week by day", () => {
  expect([statsAddress("1"), statsAddress("x")]).toEqual(["/api/stats?days=1&step=hour", "/api/stats?days=7&step=day"]);
});
