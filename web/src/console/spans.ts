import { list, number, object, text, texts } from "../events/read";
import type { EventOf, JsonObject, StoredEvent } from "../generated/api";
import { taskTypeTitle } from "../parts/task-type";
import type { WaterfallSpan } from "../parts/waterfall";

/** What a span is about; also what the timeline can be filtered by. */
export type Group = "route" | "context" | "model" | "tool" | "step" | "milestone" | "pause" | "output" | "error";

/** Every group, in the order in which a turn goes through them. */
export const GROUPS: readonly Group[] = ["route", "context", "model", "step", "tool", "milestone", "pause", "output", "error"];

/** A span of a turn: a bar of the waterfall, the events behind it, how long it waited for a person or for the first words. */
export interface Span extends WaterfallSpan {
  readonly group: Group;
  readonly waited_ms: number;
  readonly first_ms: number | null;
  readonly events: readonly StoredEvent[];
}

/** A turn as spans, and what it took altogether; `elapsed_ms` leaves out the waiting for people. */
export interface Timeline {
  readonly spans: readonly Span[];
  readonly elapsed_ms: number;
  readonly waited_ms: number;
  readonly model_calls: number;
  readonly tool_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number | null;
  readonly outcome: "running" | "paused" | "done" | "failed";
}

type Draft = { -readonly [Key in keyof Span]: Span[Key] } & { events: StoredEvent[] };

/** The spans of one turn, from its events in order. */
export function timelineOf(events: readonly StoredEvent[]): Timeline {
  const builder = new Builder(Date.parse(events[0]?.at ?? "") || 0);
  for (const event of events) builder.take(event);
  return builder.timeline();
}

/** Reads events one by one. The clock stands still while a person is asked, so that a turn of days stays readable. */
class Builder {
  private readonly spans: Draft[] = [];
  private readonly calls = new Map<string, Draft>();
  private readonly steps = new Map<string, Draft>();
  private readonly pauses = new Map<string, Draft>();
  private model: Draft | null = null;
  private now_ms = 0;
  private settled_ms = 0;
  private waited_ms = 0;
  private asked_at: number | null = null;
  private cost: number | null = null;
  private outcome: Timeline["outcome"] = "running";

  constructor(private readonly began: number) {}

  take(event: StoredEvent): void {
    this.clock(event);
    const data: JsonObject = event.data;
    switch (event.kind) {
      case "reasoning.delta":
      case "reasoning.done":
        return this.reasoning(event);
      case "text.delta":
        return this.delta(event);
      case "usage":
        return this.usage(event);
      case "skill.routed":
        return this.route(event);
      case "context.built":
        return this.context(event);
      case "tool.called":
        return this.called(event);
      case "tool.result":
        return this.result(event);
      case "step.started":
        this.steps.set(text(data["step"]), this.add(event, "step", text(data["title"]) || text(data["step"]), { state: "open" }));
        return;
      case "step.done":
        return this.stepDone(event);
      case "pause.opened":
        this.pauses.set(
          text(data["pause"]),
          this.add(event, "pause", text(data["purpose"]) || text(data["kind"]), { state: "open", detail: text(data["text"]) }),
        );
        this.outcome = "paused";
        this.asked_at = Date.parse(event.at);
        return;
      case "pause.answered":
        return this.answered(event);
      default:
        return this.mark(event);
    }
  }

  timeline(): Timeline {
    const end = Math.max(this.now_ms, ...this.spans.map((span) => span.end_ms));
    for (const span of this.spans) if (span.state === "open" && span.group !== "pause" && this.outcome === "running") span.end_ms = end;
    const sum = (pick: (span: Draft) => number): number => this.spans.reduce((all, span) => all + pick(span), 0);
    const ordered = [...this.spans].sort((a, b) => a.start_ms - b.start_ms || (a.events[0]?.seq ?? 0) - (b.events[0]?.seq ?? 0));
    return {
      spans: ordered,
      elapsed_ms: end,
      waited_ms: this.waited_ms,
      model_calls: this.spans.filter((span) => span.group === "model").length,
      tool_calls: this.calls.size,
      input_tokens: sum((span) => span.input_tokens),
      output_tokens: sum((span) => span.output_tokens),
      cost: this.cost,
      outcome: this.outcome,
    };
  }

  private clock(event: StoredEvent): void {
    const at = Date.parse(event.at) || this.began;
    if (event.kind === "pause.answered" && this.asked_at !== null) {
      this.waited_ms += Math.max(0, at - this.asked_at);
      this.asked_at = null;
    }
    this.now_ms = Math.max(this.now_ms, at - this.began - this.waited_ms);
  }

  private add(event: StoredEvent, group: Group, label: string, more: Partial<Draft> = {}): Draft {
    const span: Draft = {
      id: `${event.seq}`,
      group,
      label,
      detail: "",
      depth: 0,
      start_ms: this.now_ms,
      end_ms: this.now_ms,
      state: "ok",
      input_tokens: 0,
      output_tokens: 0,
      waited_ms: 0,
      first_ms: null,
      events: [event],
      ...more,
    };
    this.spans.push(span);
    this.settled_ms = this.now_ms;
    return span;
  }

  private route(event: EventOf<"skill.routed">): void {
    const took = Math.min(number(event.data["elapsed_ms"]), this.now_ms);
    const chosen = texts(event.data["skills"]).join(", ") || text(event.data["skill"]);
    const types = texts(object(event.data["task"])["types"]).map(taskTypeTitle).join(" + ");
    const detail = [chosen, types].filter(Boolean).join(" · ");
    this.add(event, "route", text(event.data["verdict"]) || event.kind, { start_ms: this.now_ms - took, detail });
  }

  /** Written when the next thing is stored, so the call began when the thing before was over. */
  private context(event: EventOf<"context.built">): void {
    const before = this.settled_ms;
    const said = `${number(event.data["tokens"])} / ${number(event.data["limit_tokens"])}`;
    this.add(event, "context", text(event.data["phase"]) || event.kind, {
      start_ms: before,
      end_ms: before,
      detail: said,
      state: event.data["over_budget"] === true ? "bad" : "ok",
    });
    this.settled_ms = before;
    this.model = null;
  }

  private delta(event: EventOf<"text.delta">): void {
    this.model ??= this.modelCall(event);
    this.model.end_ms = this.now_ms;
    this.model.first_ms ??= this.now_ms - this.model.start_ms;
  }

  /** Part of the model's call; the first words are those of the text. */
  private reasoning(event: EventOf<"reasoning.delta" | "reasoning.done">): void {
    this.model ??= this.modelCall(event);
    this.model.end_ms = this.now_ms;
    if (event.kind === "reasoning.done" && !this.model.events.includes(event)) this.model.events.push(event);
  }

  private usage(event: EventOf<"usage">): void {
    const model = this.model ?? this.modelCall(event);
    if (!model.events.includes(event)) model.events.push(event);
    model.end_ms = this.now_ms;
    model.input_tokens += number(event.data["input_tokens"]);
    model.output_tokens += number(event.data["output_tokens"]);
    const cost = event.data["cost"];
    if (typeof cost === "number") this.cost = (this.cost ?? 0) + cost;
    this.model = null;
    this.settled_ms = this.now_ms;
  }

  private modelCall(event: EventOf<"usage" | "text.delta" | "reasoning.delta" | "reasoning.done">): Draft {
    const start = this.settled_ms;
    const model = event.kind === "usage" ? text(event.data.model) : "";
    return this.add(event, "model", model || "model", { start_ms: start });
  }

  private called(event: EventOf<"tool.called">): void {
    const step = this.steps.get(text(event.data["step"]));
    const span = this.add(event, "tool", text(event.data["tool"]), { depth: step ? 1 : number(event.data["depth"]), state: "open" });
    this.calls.set(text(event.data["call"]), span);
  }

  private result(event: EventOf<"tool.result">): void {
    const { data } = event;
    const span = this.calls.get(text(data["call"])) ?? this.add(event, "tool", text(data["tool"]));
    if (!span.events.includes(event)) span.events.push(event);
    this.calls.set(text(data["call"]), span);
    const told = number(data["elapsed_ms"], -1);
    span.end_ms = Math.max(this.now_ms, span.start_ms + Math.max(0, told));
    const failed = data.ok === false;
    span.state = failed ? "bad" : "ok";
    span.detail = failed ? text(data.error?.code) || text(data["state"]) : told >= 0 ? "" : text(data["state"]);
    this.settled_ms = this.now_ms;
  }

  private stepDone(event: EventOf<"step.done">): void {
    const { data } = event;
    const span = this.steps.get(text(data["step"])) ?? this.add(event, "step", text(data["title"]) || text(data["step"]));
    if (!span.events.includes(event)) span.events.push(event);
    span.end_ms = this.now_ms;
    span.detail = [text(data["state"]), text(data["why"])].filter(Boolean).join(": ");
    span.state = text(data["state"]) === "failed" ? "bad" : "ok";
    this.settled_ms = this.now_ms;
  }

  private answered(event: EventOf<"pause.answered">): void {
    const span = this.pauses.get(text(event.data["pause"])) ?? this.add(event, "pause", text(event.data["purpose"]));
    if (!span.events.includes(event)) span.events.push(event);
    span.waited_ms = Math.max(0, Date.parse(event.at) - Date.parse(span.events[0]?.at ?? event.at));
    span.state = "ok";
    this.outcome = "running";
    this.settled_ms = this.now_ms;
  }

  private mark(event: StoredEvent): void {
    const group = markGroup(event.kind);
    this.add(event, group, event.kind, { detail: markDetail(event), state: BAD.has(event.kind) ? "bad" : "ok" });
    if (event.kind === "turn.done") this.outcome = "done";
    if (event.kind === "turn.failed" || (event.kind === "error" && event.data.code === "interrupted")) this.outcome = "failed";
    if (event.kind === "turn.done" && typeof event.data["cost"] === "number") this.cost ??= event.data["cost"];
  }
}

const BAD: ReadonlySet<string> = new Set(["turn.failed", "error", "milestone.failed", "tool.violation"]);

function markGroup(kind: string): Group {
  if (kind.startsWith("skill.") || kind === "plan.created") return "route";
  if (kind.startsWith("milestone.") || kind === "reflect") return "milestone";
  if (kind.startsWith("exception.")) return "pause";
  return BAD.has(kind) ? "error" : "output";
}

/** A text without the marks of Markdown, on one line. */
function plainText(marked: string): string {
  return marked.replace(/\*\*|`|^#{1,6} |^[-*] /gm, "").replace(/\s+/g, " ").trim();
}

function markDetail(event: StoredEvent): string {
  if (event.kind === "chart") return text(event.data.spec?.title);
  if (event.kind === "tasks") return event.data.tasks.map((one) => one.title).join(" → ");
  if (event.kind === "todos") return String(list(event.data.todos).length);
  const data: JsonObject = event.data;
  const named: readonly (keyof JsonObject)[] = ["title", "milestone", "tool", "goal", "code", "message", "text", "skill"];
  const found = named.map((key) => text(data[key])).find(Boolean) ?? "";
  return plainText(found).slice(0, 160);
}

/** One figure of two turns. */
export interface Compared {
  readonly name: "elapsed_ms" | "waited_ms" | "model_calls" | "tool_calls" | "input_tokens" | "output_tokens";
  readonly one: number;
  readonly other: number;
  readonly delta: number;
}

/** The figures of two turns beside each other. */
export function compareTurns(one: Timeline, other: Timeline): Compared[] {
  const names = ["elapsed_ms", "waited_ms", "model_calls", "tool_calls", "input_tokens", "output_tokens"] as const;
  return names.map((name) => ({ name, one: one[name], other: other[name], delta: other[name] - one[name] }));
}
