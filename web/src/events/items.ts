import { answerWords, columnsOf, failureOf, list, number, object, pauseOf, rowsOf, same, text, texts } from "./read";
import { flowAfter } from "./flow";
import type { Item, TableItem, ToolItem, Turn } from "./state";
import type { EventKind, EventOf, Json, JsonObject, StoredEvent } from "../generated/api";

type Found<Type extends Item["type"]> = Extract<Item, { type: Type }>;
type Change<Kind extends EventKind = EventKind> = (items: Item[], event: EventOf<Kind>, turn: Turn) => Item[];

/** What is shown of a turn after one more event. */
export function itemsAfter(turn: Turn, event: StoredEvent): Item[] {
  const change = CHANGES[event.kind] as Change | undefined;
  return change ? change(turn.items, event, turn) : turn.items;
}

const CHANGES: { [Kind in EventKind]?: Change<Kind> } = {
  "reasoning.delta": (items, event) => {
    const last = items.at(-1);
    const piece = text(event.data["text"]);
    if (last?.type === "reasoning" && !last.done) return items.with(-1, { ...last, text: last.text + piece });
    return [...items, { type: "reasoning", key: keyOf(event), text: piece, done: false, elapsed_ms: null }];
  },
  "reasoning.done": (items, event) => {
    const at = items.findLastIndex((one) => one.type === "reasoning" && !one.done);
    const made: Item = { type: "reasoning", key: keyOf(event), text: text(event.data["text"]), done: true, elapsed_ms: number(event.data["elapsed_ms"]) };
    return at < 0 ? [...items, made] : items.with(at, { ...made, key: (items[at] as Item).key });
  },
  "text.delta": (items, event) => {
    const at = items.findLastIndex((one) => one.type === "text" && !one.done);
    const open = items[at];
    const piece = text(event.data["text"]);
    if (open?.type === "text") return items.with(at, { ...open, text: open.text + piece });
    return [...items, { type: "text", key: keyOf(event), text: piece, done: false }];
  },
  "text.done": (items, event) => {
    const at = items.findLastIndex((one) => one.type === "text" && !one.done);
    const whole = text(event.data["text"]);
    const reminder = text(event.data.reminder);
    if (at < 0) return whole ? [...items, { type: "text", key: keyOf(event), text: whole, done: true, reminder }] : items;
    const open = items[at] as Found<"text">;
    return items.with(at, { ...open, text: whole || open.text, done: true, reminder });
  },
  "skill.activated": (items, event, turn) => [...items, skillItem(event, "activated", turn)],
  "skill.left": (items, event, turn) => [...items, skillItem(event, "left", turn)],
  "tool.called": toolCalled,
  "tool.progress": toolProgress,
  "tool.result": toolResult,
  "tool.violation": (items, { data, ...event }) => [
    ...items,
    {
      type: "violation",
      key: keyOf(event),
      tool: text(data["tool"]),
      code: text(data["code"]),
      layer: text(data["layer"]),
      source: text(data["source"]),
      reason: text(data["reason"]),
      allowed: texts(data["allowed"]),
    },
  ],
  "exception.requested": (items, { data, ...event }) => [
    ...items,
    { type: "exception", key: text(data["request"]) || keyOf(event), tool: text(data["tool"]), reason: text(data["reason"]), state: "asked", by: "", note: "" },
  ],
  "exception.decided": exceptionDecided,
  table: tableArrived,
  map: (items, event) => [...items, { type: "map", key: keyOf(event), spec: event.data["spec"] }],
  chart: (items, event) => [...items, { type: "chart", key: keyOf(event), spec: event.data.spec }],
  image: (items, event) => mediaArrived(items, event, "image"),
  file: (items, event) => mediaArrived(items, event, "file"),
  "pause.opened": (items, event) => {
    const pause = pauseOf(event.data);
    if (items.some((one) => one.type === "pause" && one.pause.id === pause.id)) return items;
    return [...items, { type: "pause", key: pause.id, pause, open: true, cancelled: false, answer: null }];
  },
  "pause.changed": pauseChanged,
  "pause.answered": pauseAnswered,
  "milestone.passed": (items, event) => [...items, milestoneItem(event, true)],
  "milestone.failed": (items, event) => [...items, milestoneItem(event, false)],
  "flow.planned": flowAfter,
  "flow.node": flowAfter,
  reflect: flowAfter,
  error: (items, event) => [...closed(items, stateOf(event.data["code"])), { type: "notice", key: keyOf(event), ...failureOf(event.data), data: event.data }],
  "turn.done": (items) => closed(items),
  "turn.failed": (items) => closed(items),
};

/** A file that is written again takes the place of its earlier card. */
function mediaArrived(items: Item[], event: EventOf<"image" | "file">, kind: "image" | "file"): Item[] {
  const path = event.data["path"];
  const rest = items.filter((one) => !(one.type === "media" && path !== undefined && one.data["path"] === path));
  return [...rest, { type: "media", key: keyOf(event), kind, data: event.data }];
}

function keyOf(event: { seq: number }): string {
  return `e${event.seq}`;
}

/** When a turn is over nothing is being written and nothing runs any more. */
function closed(items: Item[], running: ToolItem["state"] = "failed"): Item[] {
  return items.map((one) => {
    if ((one.type === "text" || one.type === "reasoning") && !one.done) return { ...one, done: true };
    if (one.type === "tool" && one.state === "running") return { ...one, state: running };
    return one;
  });
}

function skillItem(event: EventOf<"skill.activated" | "skill.left">, change: "activated" | "left", turn: Turn): Item {
  const { data } = event;
  const routing = change === "activated" ? turn.routing : null;
  return { type: "skill", key: keyOf(event), change, id: text(data["skill"]), title: text(data["title"]), why: text(data["why"]), together: texts(object(data)["together"]), routing };
}

function toolCalled(items: Item[], event: EventOf<"tool.called" | "tool.result">): Item[] {
  const data: JsonObject = event.data;
  const call = text(data["call"]);
  const made: ToolItem = {
    type: "tool",
    key: keyOf(event),
    call,
    tool: text(data["tool"]),
    parent: text(data["parent"]),
    step: text(data["step"]),
    title: text(data["title"]) || text(data["tool"]),
    details: data["details"] ? list(data["details"]).map(object).map((one) => ({ title: text(one["title"]), value: text(one["value"]) })) : null,
    arguments: object(data["arguments"]),
    state: "running",
    data: undefined,
    content: "",
    error: null,
    elapsed_ms: null,
    progress: null,
  };
  return [...items, made];
}

function toolProgress(items: Item[], { data }: EventOf<"tool.progress">): Item[] {
  const share = data["share"];
  return items.map((one) =>
    one.type === "tool" && one.call === data["call"] && one.state === "running"
      ? { ...one, progress: { share: typeof share === "number" ? Math.min(1, Math.max(0, share)) : 0, text: text(data["text"]) } }
      : one,
  );
}

/** How a call ended that gave no result: what a person stopped has not failed. */
function stateOf(code: Json | undefined): "failed" | "stopped" {
  return code === "stopped" || code === "cancelled" ? "stopped" : "failed";
}

function toolResult(items: Item[], event: EventOf<"tool.result">): Item[] {
  const { data } = event;
  const call = text(data["call"]);
  const refused = data["state"] === "refused";
  const ok = data["ok"] === true;
  const at = items.findLastIndex((one) => one.type === "tool" && one.call === call);
  if (at < 0) {
    if (refused) return items;
    return toolResult(toolCalled(items, event), event);
  }
  const was = items[at] as ToolItem;
  const error = data["error"] ? failureOf(object(data["error"])) : null;
  const elapsed = data["elapsed_ms"];
  return items.with(at, {
    ...was,
    state: ok ? "done" : refused ? "refused" : stateOf(error?.code),
    data: data["data"],
    content: text(data["content"]),
    error,
    elapsed_ms: typeof elapsed === "number" ? elapsed : null,
    progress: null,
  });
}

function exceptionDecided(items: Item[], event: EventOf<"exception.decided">): Item[] {
  const { data } = event;
  const request = text(data["request"]);
  return items.map((one) =>
    one.type === "exception" && one.key === request ? { ...one, state: text(data["state"]), by: text(data["by"]), note: text(data["note"]) } : one,
  );
}

function tableArrived(items: Item[], event: EventOf<"table">): Item[] {
  const { data } = event;
  const key = text(data["table"]) || keyOf(event);
  const at = items.findLastIndex((one) => one.type === "table" && one.key === key);
  if (at >= 0 && number(data["offset"]) > 0) {
    const was = items[at] as TableItem;
    return items.with(at, { ...was, rows: [...was.rows, ...rowsOf(data["rows"], was.columns)], more: data["more"] === true });
  }
  const columns = columnsOf(data["columns"]);
  const rows = rowsOf(data["rows"], columns);
  return [...items, { type: "table", key, title: text(data["title"]), columns, rows, total: number(data["total"], rows.length), more: data["more"] === true }];
}

function pauseChanged(items: Item[], event: EventOf<"pause.changed">): Item[] {
  const { pause, chosen_rows: chosen, in_doubt: inDoubt, shown } = event.data;
  return items.map((one): Item => (one.type === "pause" && one.pause.id === pause ? { ...one, pause: { ...one.pause, chosen: same(one.pause.chosen, chosen) ? one.pause.chosen : chosen, inDoubt: inDoubt === true, shown } } : one));
}

function pauseAnswered(items: Item[], event: EventOf<"pause.answered">): Item[] {
  const { data } = event;
  const id = text(data["pause"]);
  const cancelled = data["cancelled"] === true;
  const answer = data["answer"] ?? null;
  const found = items.find((one) => one.type === "pause" && one.pause.id === id) as Found<"pause"> | undefined;
  const marked = items.map((one): Item => (one === found ? { ...found, open: false, cancelled, answer } : one));
  const said = found && !cancelled ? answerWords(found.pause, answer) : "";
  return said ? [...marked, { type: "said", key: keyOf(event), text: said }] : marked;
}

function milestoneItem(event: EventOf<"milestone.passed" | "milestone.failed">, passed: boolean): Item {
  const data: JsonObject = event.data;
  return { type: "milestone", key: keyOf(event), name: text(data["milestone"]), passed, reason: text(data["reason"]), suggestion: text(data["suggestion"]) };
}
