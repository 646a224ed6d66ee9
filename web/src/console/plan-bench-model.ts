import { list, number, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";

/** What became of a case: right, asked, written wrong, or failed. */
export type State = "right" | "asked" | "wrong" | "failed";

/** One case of a run. */
export interface CaseView {
  readonly id: string;
  readonly host: string;
  readonly request: string;
  readonly state: State;
  readonly repairs: number;
  readonly draftMs: number;
  readonly writeMs: number;
  readonly tokens: number;
  readonly why: string;
}

/** A saved run with its counts. */
export interface BenchRunView {
  readonly name: string;
  readonly at: string;
  readonly set: string;
  readonly host: string;
  readonly mode: string;
  readonly right: number;
  readonly asked: number;
  readonly wrong: number;
  readonly failed: number;
  readonly total: number;
  readonly valid: number;
  readonly written: number;
}

/** What can be run, and what was. */
export interface BenchView {
  readonly sets: readonly { readonly id: string; readonly count: number }[];
  readonly hosts: readonly string[];
  readonly modes: readonly string[];
  readonly runs: readonly BenchRunView[];
}

/** A case whose result differs between two runs. */
export interface Difference {
  readonly id: string;
  readonly request: string;
  readonly base: State | "missing";
  readonly other: State | "missing";
}

const STATES: readonly State[] = ["right", "asked", "wrong", "failed"];

/** Read the answer of the server. */
export function benchOf(data: JsonObject): BenchView {
  return {
    sets: list(data["sets"])
      .map(object)
      .map((one) => ({ id: text(one["id"]), count: number(one["count"]) })),
    hosts: list(data["hosts"]).map(text),
    modes: list(data["modes"]).map(text),
    runs: list(data["runs"]).map(object).map(runOf),
  };
}

/** Read one case of a run. */
export function caseOf(one: JsonObject): CaseView {
  const state = text(one["state"]) as State;
  return {
    id: text(one["id"]),
    host: text(one["host"]),
    request: text(one["request"]),
    state: STATES.includes(state) ? state : "failed",
    repairs: number(one["repairs"]),
    draftMs: number(one["draft_ms"]),
    writeMs: number(one["write_ms"]),
    tokens: number(one["tokens"]),
    why: text(one["question"]) || list(one["misses"]).map(text).join("; "),
  };
}

/** Read the cases of a run. */
export function casesOf(run: JsonObject): CaseView[] {
  return list(run["results"]).map(object).map(caseOf);
}

/** How many cases are in each state. */
export function countStates(cases: readonly CaseView[]): Record<State, number> {
  const counts = { right: 0, asked: 0, wrong: 0, failed: 0 };
  for (const one of cases) counts[one.state]++;
  return counts;
}

/** Cases whose result is not the same, what is no longer right first. */
export function differencesOf(base: readonly CaseView[], other: readonly CaseView[]): Difference[] {
  const [before, after] = [byId(base), byId(other)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({
      id,
      request: after.get(id)?.request ?? before.get(id)?.request ?? "",
      base: before.get(id)?.state ?? ("missing" as const),
      other: after.get(id)?.state ?? ("missing" as const),
    }))
    .filter((one) => one.base !== one.other)
    .sort((a, b) => Number(b.base === "right") - Number(a.base === "right") || a.id.localeCompare(b.id));
}

function byId(cases: readonly CaseView[]): Map<string, CaseView> {
  return new Map(cases.map((one) => [one.id, one]));
}

function runOf(one: JsonObject): BenchRunView {
  const summary = object(one["summary"]);
  const count = (name: string): number => number(summary[name]);
  return {
    name: text(one["name"]),
    at: text(one["at"]),
    set: text(one["set"]),
    host: text(one["host"]),
    mode: text(one["mode"]),
    right: count("right"),
    asked: count("asked"),
    wrong: count("wrong"),
    failed: count("failed"),
    total: count("total"),
    valid: count("valid"),
    written: count("written"),
  };
}
