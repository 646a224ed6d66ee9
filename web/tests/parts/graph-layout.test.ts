import { describe, expect, it } from "vitest";

import { fitted, layoutInput, layOut, neighbour } from "../../src/parts/graph/layout";
import { panned, wholeView, zoomed } from "../../src/parts/graph/view";

const nodes = [
  { id: "a", label: "读取" },
  { id: "b", label: "fft", detail: "→ fft" },
  { id: "c", label: "判决" },
];

describe("what the layout is asked for", () => {
  it("leaves out edges to nowhere, to themselves and twice", () => {
    const edges = [
      { from: "a", to: "b" },
      { from: "a", to: "b" },
      { from: "b", to: "b" },
      { from: "b", to: "nowhere" },
    ];
    expect(layoutInput(nodes, edges).edges).toEqual([{ from: "a", to: "b" }]);
  });

  it("takes a node that comes twice once", () => {
    expect(layoutInput([...nodes, { id: "a", label: "again" }], []).nodes).toHaveLength(3);
  });

  it("makes room for Chinese, and for a second line", () => {
    const [chinese, latin] = layoutInput(
      [
        { id: "x", label: "网络优化仿真分析" },
        { id: "y", label: "abcdefgh", detail: "d" },
      ],
      [],
    ).nodes;
    expect(chinese?.width).toBeGreaterThan(latin?.width ?? 0);
    expect(latin?.height).toBeGreaterThan(chinese?.height ?? 0);
  });
});

describe("a layout", () => {
  it("goes from left to right along the edges, and the arrow keys follow it", async () => {
    const made = await layOut(
      layoutInput(nodes, [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
      ]),
      "LR",
    );
    const x = (id: string): number => made.nodes.find((node) => node.id === id)?.x ?? 0;
    expect(x("a")).toBeLessThan(x("b"));
    expect(x("b")).toBeLessThan(x("c"));
    expect(made.edges.every((edge) => edge.points.length >= 2)).toBe(true);
    expect(neighbour(made.nodes, "a", 1, 0)).toBe("b");
    expect(neighbour(made.nodes, "c", 1, 0)).toBeNull();
  });

  it("stands a cycle", async () => {
    const made = await layOut(
      layoutInput(nodes, [
        { from: "a", to: "b" },
        { from: "b", to: "a" },
      ]),
      "TB",
    );
    expect(made.edges).toHaveLength(2);
  });
});

describe("what is seen of it", () => {
  const whole = wholeView({ width: 200, height: 100 }, { width: 400, height: 300 });

  it("is never larger than life, and in the middle", () => {
    expect(whole).toEqual({ x: -100, y: -100, width: 400, height: 300 });
  });

  it("zooms around a point and not without end", () => {
    expect(zoomed(whole, 0.5, whole)).toEqual({ x: 0, y: -25, width: 200, height: 150 });
    expect(zoomed(whole, 0.001, whole).width).toBe(100);
  });

  it("moves with the pointer", () => {
    expect(panned(whole, 0.25, 0)).toMatchObject({ x: -200, y: -100 });
  });
});

it("a text that does not fit is cut with a sign", () => {
  expect(fitted("short", 200)).toBe("short");
  expect(fitted("网络优化仿真分析", 60)).toBe("网络优…");
});
