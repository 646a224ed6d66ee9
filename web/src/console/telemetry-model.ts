import { list, number, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";

/** One telemetry event. */
export interface TelemetryRow {
  readonly id: string;
  readonly at: string;
  readonly name: string;
  readonly session: string;
  readonly turn: string;
  readonly source: string;
  readonly payload: JsonObject;
  readonly whole: JsonObject;
}

/** What many events say together. */
export interface TelemetrySummary {
  readonly events: number;
  readonly sessions: number;
  readonly turns: number;
  readonly calls: number;
  readonly tokens: number;
  readonly violations: number;
  readonly turnMs: number | null;
  readonly byEvent: readonly (readonly [string, number])[];
}

/** The events of a page. */
export function telemetryRows(data: JsonObject): TelemetryRow[] {
  return list(data["events"])
    .map(object)
    .map((one, at) => ({
      id: text(one["event_id"]) || String(at),
      at: text(one["ts"]),
      name: text(one["event_name"]),
      session: text(one["session_id"]),
      turn: text(one["turn_id"]),
      source: text(one["source"]),
      payload: object(one["payload"]),
      whole: one,
    }));
}

/** The server's summary as tiles need it. */
export function summaryOf(data: JsonObject): TelemetrySummary {
  const models = list(data["models"]).map(object);
  const sum = (rows: readonly JsonObject[], ...keys: readonly string[]): number =>
    rows.reduce((all, row) => all + keys.reduce((part, key) => part + number(row[key]), 0), 0);
  const p50 = object(data["turn_ms"])["p50_ms"];
  return {
    events: number(data["events"]),
    sessions: number(data["sessions"]),
    turns: number(data["turns"]),
    calls: sum(models, "calls"),
    tokens: sum(models, "input_tokens", "output_tokens"),
    violations: sum(list(data["violations"]).map(object), "count"),
    turnMs: typeof p50 === "number" ? p50 : null,
    byEvent: sorted(Object.entries(object(data["by_event"])).map(([name, count]) => [name, number(count)] as const)),
  };
}

/** The same from the events themselves, where the server gives no summary. */
export function summaryFrom(rows: readonly TelemetryRow[]): TelemetrySummary {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.name, (counts.get(row.name) ?? 0) + 1);
  const calls = rows.filter((row) => row.name === "chat.llm_call");
  const times = rows
    .filter((row) => row.name === "chat.turn_done")
    .map((row) => row.payload["elapsed_ms"])
    .filter((ms) => typeof ms === "number")
    .sort((a, b) => a - b);
  return {
    events: rows.length,
    sessions: new Set(rows.map((row) => row.session).filter(Boolean)).size,
    turns: new Set(rows.map((row) => row.turn).filter(Boolean)).size,
    calls: calls.length,
    tokens: calls.reduce((all, row) => all + number(row.payload["input_tokens"]) + number(row.payload["output_tokens"]), 0),
    violations: counts.get("tool.violation") ?? 0,
    turnMs: times[Math.floor(times.length / 2)] ?? null,
    byEvent: sorted([...counts]),
  };
}

/** What an event says, in one line. */
export function gist(payload: JsonObject): string {
  return Object.entries(payload)
    .filter(([, value]) => value !== null && typeof value !== "object" && value !== "")
    .slice(0, 5)
    .map(([name, value]) => `${name}=${String(value).slice(0, 40)}`)
    .join(" ");
}

function sorted(counts: readonly (readonly [string, number])[]): (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
