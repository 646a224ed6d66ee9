import { describe, expect, it } from "vitest";

import { barOf, ticksOf } from "../../src/parts/waterfall-scale";

describe("a bar", () => {
  it.each([
    ["the first half", { start_ms: 0, end_ms: 500 }, { left: 0, width: 50, mark: false }],
    ["a mark", { start_ms: 500, end_ms: 500 }, { left: 50, width: 0, mark: true }],
    ["a thin one", { start_ms: 100, end_ms: 100.1 }, { left: 10, width: 0.4, mark: false }],
    ["one that ends too late", { start_ms: 500, end_ms: 2000 }, { left: 50, width: 50, mark: false }],
  ])("of %s", (_, span, bar) => {
    expect(barOf(span, 1000)).toEqual(bar);
  });

  it("is never outside of the track", () => {
    const bar = barOf({ start_ms: 1000, end_ms: 1001 }, 1000);
    expect(bar.left + bar.width).toBeLessThanOrEqual(100);
  });

  it("of nothing at all is a mark at the start", () => {
    expect(barOf({ start_ms: 0, end_ms: 0 }, 0)).toEqual({ left: 0, width: 0, mark: true });
  });
});

describe("ticks", () => {
  it.each([
    [0, [0]],
    [1000, [0, 500]],
    [2300, [0, 1000, 2000]],
    [6600, [0, 2000, 4000, 6000]],
    [90, [0, 50]],
  ])("of %d ms are round", (total, ticks) => {
    expect(ticksOf(total)).toEqual(ticks);
  });
});
