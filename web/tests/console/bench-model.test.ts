import { describe, expect, it } from "vitest";

import { countsOf, deltasOf, runsOf } from "../../src/console/bench-model";

const figure = (name: string, value: number, more = false, ok = true) => ({ suite: "turn", name, value, target: 10, unit: "ms", more, ok });
const run = (name: string, ...figures: ReturnType<typeof figure>[]) => ({
  name,
  at: "2026-01-20T08:00:00Z",
  machine: { python: "3.11" },
  figures,
});

function deltas(before: ReturnType<typeof figure>[], after: ReturnType<typeof figure>[]) {
  const [base, other] = runsOf({ runs: [run("a", ...before), run("b", ...after)] });
  return deltasOf(base!, other!);
}

describe("what changed between two runs", () => {
  it.each([
    ["slower", figure("x", 10), figure("x", 12), "worse"],
    ["faster", figure("x", 10), figure("x", 8), "better"],
    ["within the noise", figure("x", 10), figure("x", 10.4), "same"],
    ["less of what should be more", figure("x", 10, true), figure("x", 8, true), "worse"],
    ["more of what should be more", figure("x", 10, true), figure("x", 12, true), "better"],
    ["a little, but now it misses its target", figure("x", 9.9), figure("x", 10.1, false, false), "worse"],
    ["something out of nothing", figure("x", 0), figure("x", 3), "worse"],
    ["nothing and nothing", figure("x", 0), figure("x", 0), "same"],
  ])("%s", (_, before, after, verdict) => {
    expect(deltas([before], [after])[0]?.verdict).toBe(verdict);
  });

  it("comes with the worst first, then what is only in one, then the rest", () => {
    const found = deltas(
      [figure("a", 10), figure("b", 10), figure("c", 10), figure("gone", 1), figure("same", 5)],
      [figure("a", 12), figure("b", 30), figure("c", 5), figure("new", 1), figure("same", 5)],
    );
    expect(found.map((one) => [one.name, one.verdict])).toEqual([
      ["b", "worse"],
      ["a", "worse"],
      ["gone", "only_base"],
      ["new", "only_new"],
      ["c", "better"],
      ["same", "same"],
    ]);
  });

  it("is counted", () => {
    expect(countsOf(deltas([figure("a", 10), figure("b", 10)], [figure("a", 20, false, false), figure("b", 10)]))).toEqual({
      worse: 1,
      better: 0,
      same: 1,
      missed: 1,
    });
  });
});

it("a run that cannot be read says so", () => {
  expect(runsOf({ runs: [{ name: "x", error: { message: "not JSON" } }] })[0]).toMatchObject({ problem: "not JSON", figures: [] });
});
