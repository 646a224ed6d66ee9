import { waitedMs } from "./elapsed";
import { failureOf, number, object, routingOf, suggestionsOf, text, todosOf } from "./read";
import { itemsAfter } from "./items";
import { planAfter } from "./plan";
import type { Conversation, Item, Turn } from "./state";
import type { EventKind, EventOf, FactSaved, JsonObject, StoredEvent } from "../generated/api";

/** A conversation of which nothing is known yet. */
export function emptyConversation(id: string): Conversation {
  return { id, seq: 0, turns: [], skill: null, plan: null, todos: [], facts: [], filesSeq: 0 };
}

/** Events after which the list of attached files may be another; a fact may name a sample that a step attached. */
const MAY_CHANGE_FILES: ReadonlySet<string> = new Set(["attachment.added", "attachment.removed", "fact.saved"]);

/** What a conversation looks like after one more event; an event that was seen changes nothing. */
export function reduce(state: Conversation, event: StoredEvent): Conversation {
  if (event.seq <= state.seq) return state;
  const turns = turnsAfter(state.turns, event);
  const next: Conversation = { ...state, seq: event.seq, turns, plan: planAfter(state.plan, event) };
  if (event.kind === "todos") next.todos = todosOf(event.data);
  else if (event.kind === "turn.started" && state.todos.every((todo) => todo.status === "completed" || todo.status === "skipped")) next.todos = [];
  if (event.kind === "fact.saved") next.facts = withFact(state.facts, event.data);
  if (event.kind === "fact.removed") next.facts = state.facts.filter((fact) => fact.name !== event.data.name);
  if (MAY_CHANGE_FILES.has(event.kind)) next.filesSeq = event.seq;
  if (event.kind === "skill.left") next.skill = null;
  if (event.kind === "skill.activated") {
    const { data } = event;
    const routing = turns.find((turn) => turn.id === event.turn)?.routing ?? null;
    next.skill = { id: text(data["skill"]), title: text(data["title"]), why: text(data["why"]), digest: text(data["digest"]), routing };
  }
  return next;
}

/** The facts after one was settled: in its place if it was there. */
function withFact(facts: FactSaved[], fact: FactSaved): FactSaved[] {
  const at = facts.findIndex((one) => one.name === fact.name);
  return at < 0 ? [...facts, fact] : facts.with(at, fact);
}

/** What a conversation looks like after all of these events. */
export function replay(id: string, events: Iterable<StoredEvent>): Conversation {
  let state = emptyConversation(id);
  for (const event of events) state = reduce(state, event);
  return state;
}

/** The turn that runs now, if one does. */
export function runningTurn(state: Conversation): Turn | null {
  return state.turns.find((turn) => turn.state === "running") ?? null;
}

function turnsAfter(turns: Turn[], event: StoredEvent): Turn[] {
  const id = event.turn ?? "";
  const at = event.kind === "pause.answered" || event.kind === "pause.changed" ? askingTurn(turns, event) : turns.findLastIndex((turn) => turn.id === id);
  if (event.kind === "pause.answered" && event.data["cancelled"] !== true) turns = turns.map(withoutReminder);
  if (at >= 0 && goesOnBelow(turns, at, event)) return goneOn(turns, at, event);
  if (at >= 0) return turns.with(at, turnAfter(turns[at] as Turn, event));
  if (!id || !OPENS.has(event.kind)) return turns;
  return [...turns, turnAfter(newTurn(id, event), event)];
}

/** Where the question of an answer stands: a later turn may close or change the question of an earlier one. */
function askingTurn(turns: Turn[], event: EventOf<"pause.answered" | "pause.changed">): number {
  const pause = text(event.data["pause"]);
  const asked = turns.findLastIndex((turn) => turn.items.some((item) => item.type === "pause" && item.pause.id === pause));
  return asked >= 0 ? asked : turns.findLastIndex((turn) => turn.id === event.turn);
}

/** Whether an answer resumes a turn that has later messages below it: what comes of it belongs below them. */
function goesOnBelow(turns: Turn[], at: number, event: StoredEvent): boolean {
  return event.kind === "pause.answered" && event.data["cancelled"] !== true && turns[at]?.id === event.turn && at < turns.length - 1;
}

/** The turns with the rest of one as a part of its own at the end; the approval stands there once more, as decided. */
function goneOn(turns: Turn[], at: number, event: StoredEvent): Turn[] {
  const asked = turnAfter(turns[at] as Turn, event);
  const key = `${asked.id}+${event.seq}`;
  const moves = (item: Item): boolean => (item.type === "said" && item.key === `e${event.seq}`) || (item.type === "tool" && item.state === "running");
  const decided = asked.items.filter((item) => item.type === "pause" && item.pause.kind === "approval" && item.pause.id === text(object(event.data)["pause"]));
  const items = [...decided.map((item) => ({ ...item, key: `${item.key}+` })), ...asked.items.filter(moves)];
  const rest: Turn = { ...newTurn(asked.id, event), key, routing: asked.routing, items };
  return [...turns.with(at, { ...asked, state: "paused", items: asked.items.filter((item) => !moves(item)) }), rest];
}

/** A question was answered: texts no longer say that it waits. */
function withoutReminder(turn: Turn): Turn {
  if (!turn.items.some((item) => item.type === "text" && item.reminder)) return turn;
  const items = turn.items.map((item): Item => (item.type === "text" && item.reminder ? { ...item, text: item.text.slice(0, -item.reminder.length).trimEnd(), reminder: "" } : item));
  return { ...turn, items };
}

const OPENS: ReadonlySet<EventKind> = new Set<EventKind>(["turn.started", "reasoning.delta", "text.delta", "text.done", "tool.called", "pause.opened", "turn.failed", "error"]);

function newTurn(id: string, event: StoredEvent): Turn {
  const message = event.kind === "turn.started" ? text(event.data["message"]) : "";
  return {
    id,
    key: id,
    message,
    started: event.at,
    ended: null,
    waited_ms: 0,
    state: "running",
    items: [],
    routing: null,
    suggestions: [],
    tasks: [],
    usage: null,
    failure: null,
  };
}

function turnAfter(turn: Turn, event: StoredEvent): Turn {
  const changed: Turn = { ...turn, ...stateAfter(turn, event), items: itemsAfter(turn, event) };
  if (event.kind === "skill.routed") changed.routing = routingOf(event.data);
  if (event.kind === "tasks") changed.tasks = event.data.tasks;
  if (event.kind === "suggestions") changed.suggestions = suggestionsOf(event.data);
  if (event.kind === "usage") changed.usage = summed(turn, event.data);
  if (event.kind === "turn.failed") changed.failure = failureOf(event.data);
  return changed;
}

function stateAfter(turn: Turn, event: StoredEvent): Partial<Turn> {
  switch (event.kind) {
    case "turn.done":
      return { state: "done", ended: event.at };
    case "turn.failed":
      return { state: "failed", ended: event.at };
    case "pause.opened":
      return { state: "paused", ended: event.at };
    case "pause.answered":
      if (event.data["cancelled"] !== true) return { state: "running", ended: null, waited_ms: turn.waited_ms + waitedMs(turn.ended, event.at) };
      return turn.state === "paused" && turn.id !== event.turn ? { state: "done" } : {};
    case "error":
      return event.data["code"] === "interrupted" || event.data["code"] === "stopped" ? { state: "interrupted", ended: event.at } : {};
    default:
      return turn.state === "interrupted" && GOES_ON.has(event.kind) ? { state: "running", ended: null } : {};
  }
}

const GOES_ON: ReadonlySet<EventKind> = new Set<EventKind>(["tool.called", "tool.result", "reasoning.delta", "text.delta", "step.started", "skill.routed", "skill.activated"]);

function summed(turn: Turn, data: JsonObject): JsonObject {
  const before = object(turn.usage);
  const sum = (name: string): number => number(before[name]) + number(data[name]);
  return { ...before, ...data, input_tokens: sum("input_tokens"), output_tokens: sum("output_tokens") };
}
