import { expect, test } from "vitest";

import { flowAfter } from "../../src/events/flow";
import type { Item } from "../../src/events/state";
import { lineOf } from "../../src/parts/flow/lines";

const event = (kind: string, data: object): never => ({ conversation: "c", turn: "t", seq: 1, at: "", kind, data }) as never;

test("a deep run is one item that grows with its goals, nodes and judgements", () => {
  const told = [
    event("flow.planned", { round: 1, goals: [{ dag: "a", text: "look" }] }),
    event("flow.node", { round: 1, node: "a1", points: [1, 2] }),
    event("flow.node", { round: 1, node: "a2", points: [] }),
    event("flow.node", { round: 1, node: "a2", points: [3] }),
    event("reflect", { round: 1, decision: "replan", reason: "not enough", keep: [{ node: "a2", why: "clear" }], findings: ["odd"] }),
    event("flow.planned", { round: 2, goals: [{ dag: "b", text: "look again" }] }),
  ];
  const items = told.reduce<Item[]>((before, one) => flowAfter(before, one), [{ type: "said", key: "s", text: "x" }]);
  expect(items).toHaveLength(2);
  expect(items[1]).toMatchObject({
    type: "flow",
    nodes: [{ node: "a1" }, { node: "a2", points: [3] }],
    rounds: [
      { round: 1, decision: "replan", keep: [{ node: "a2", why: "clear" }], findings: ["odd"] },
      { round: 2, decision: "", goals: [{ dag: "b", text: "look again" }] },
    ],
  });
});

test("a thumbnail fills its box, also for constant data", () => {
  expect(lineOf([0, 1], 10, 10, 0)).toBe("M0 10L10 0");
  expect(lineOf([5, 5, 5], 10, 10, 0)).toBe("M0 10L5 10L10 10");
  expect(lineOf([1], 10, 10)).toBe("");
});
