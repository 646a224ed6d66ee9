import { list, object, text, texts } from "./read";
import type { FlowItem, FlowRound, Item } from "./state";
import type { EventOf, FlowNode } from "../generated/api";

/** The graph of a deep run after one more of its events; it is one item that grows. */
export function flowAfter(items: Item[], event: EventOf<"flow.planned" | "flow.node" | "reflect">): Item[] {
  const at = items.findLastIndex((one) => one.type === "flow");
  const found = items[at];
  const item: FlowItem = found?.type === "flow" ? found : { type: "flow", key: `e${event.seq}`, rounds: [], nodes: [] };
  const grown = changed(item, event);
  return at < 0 ? [...items, grown] : items.with(at, grown);
}

function changed(item: FlowItem, event: EventOf<"flow.planned" | "flow.node" | "reflect">): FlowItem {
  if (event.kind === "flow.node") {
    const node: FlowNode = event.data;
    return { ...item, nodes: [...item.nodes.filter((one) => one.node !== node.node), node] };
  }
  const number = event.data.round;
  const old = item.rounds.find((one) => one.round === number) ?? { round: number, goals: [], decision: "" as const, reason: "", keep: [], findings: [] };
  const round: FlowRound = event.kind === "flow.planned" ? { ...old, goals: event.data.goals } : { ...old, ...judgementOf(event) };
  return { ...item, rounds: [...item.rounds.filter((one) => one.round !== number), round].sort((a, b) => a.round - b.round) };
}

function judgementOf(event: EventOf<"reflect">): Pick<FlowRound, "decision" | "reason" | "keep" | "findings"> {
  const keep = list(event.data["keep"] as never).map(object).map((one) => ({ node: text(one["node"]), why: text(one["why"]) }));
  return { decision: event.data.decision, reason: event.data.reason, keep, findings: texts(event.data["findings"]) };
}
