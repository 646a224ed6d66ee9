import { list, number, object, text, texts } from "../events/read";
import type { JsonObject, StoredEvent } from "../generated/api";

/** One section of a prompt: what it took of which limit, what stayed and what did not. */
export interface SectionView {
  readonly name: string;
  readonly tokens: number;
  readonly limit: number | null;
  readonly share: number;
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  readonly required: boolean;
}

/** Something the model did not see. */
export interface DroppedView {
  readonly section: string;
  readonly piece: string;
  readonly tokens: number;
  readonly code: string;
  readonly text: string;
}

/** What the model saw in one call. */
export interface ContextView {
  readonly seq: number;
  readonly phase: string;
  readonly mode: string;
  readonly skill: string;
  readonly tokens: number;
  readonly limit: number;
  readonly over: boolean;
  readonly sections: readonly SectionView[];
  readonly dropped: readonly DroppedView[];
  readonly notes: readonly string[];
  readonly missing: readonly string[];
  readonly offered: readonly string[];
}

/** Every prompt of a turn, one for each call of the model. */
export function contextsOf(events: readonly StoredEvent[]): ContextView[] {
  return events.filter((event) => event.kind === "context.built").map((event) => contextOf(event.seq, event.data));
}

/** One prompt from its account; the share of a section is of the whole budget, so that bars can be compared. */
export function contextOf(seq: number, data: JsonObject): ContextView {
  const [tokens, limit] = [number(data["tokens"]), number(data["limit_tokens"])];
  const whole = Math.max(limit, tokens, 1);
  const sections = list(data["sections"])
    .map(object)
    .map((one): SectionView => {
      const own = one["limit_tokens"];
      return {
        name: text(one["name"]),
        tokens: number(one["tokens"]),
        limit: typeof own === "number" ? own : null,
        share: number(one["tokens"]) / whole,
        kept: texts(one["kept"]).filter((piece) => piece !== text(one["name"])),
        dropped: texts(one["dropped"]),
        required: one["required"] === true,
      };
    });
  return {
    seq,
    phase: text(data["phase"]),
    mode: text(data["mode"]),
    skill: text(data["skill"]),
    tokens,
    limit,
    over: data["over_budget"] === true,
    sections,
    dropped: list(data["dropped"]).map(object).map(droppedOf),
    notes: texts(data["notes"]),
    missing: texts(data["missing"]),
    offered: texts(data["offered"]),
  };
}

function droppedOf(one: JsonObject): DroppedView {
  return {
    section: text(one["section"]),
    piece: text(one["piece"]),
    tokens: number(one["tokens"]),
    code: text(one["code"]),
    text: text(one["text"]),
  };
}
