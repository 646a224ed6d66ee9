import { list, number, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";

/** A figure of one run; lower is better unless `more`. */
export interface Figure {
  readonly suite: string;
  readonly name: string;
  readonly value: number;
  readonly target: number | null;
  readonly unit: string;
  readonly more: boolean;
  readonly ok: boolean;
}

/** A saved run. */
export interface RunView {
  readonly name: string;
  readonly at: string;
  readonly machine: string;
  readonly figures: readonly Figure[];
  readonly problem: string;
}

/** How a figure changed between two runs. */
export interface Delta {
  readonly key: string;
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
  readonly base: number | null;
  readonly value: number | null;
  readonly target: number | null;
  readonly more: boolean;
  readonly ok: boolean;
  readonly change: number | null;
  readonly verdict: "worse" | "better" | "same" | "only_base" | "only_new";
}

/** Differences smaller than this are taken for noise. */
export const NOISE = 0.05;

const ORDER: Readonly<Record<Delta["verdict"], number>> = { worse: 0, only_base: 1, only_new: 2, better: 3, same: 4 };

/** The saved runs, the newest first as the server gives them. */
export function runsOf(data: JsonObject): RunView[] {
  return list(data["runs"])
    .map(object)
    .map((one) => ({
      name: text(one["name"]),
      at: text(one["at"]),
      machine: Object.values(object(one["machine"])).map(String).join(" · "),
      figures: list(one["figures"]).map(object).map(figureOf),
      problem: text(object(one["error"])["message"]),
    }));
}

/** Every figure of either run, what got worse first and the most worse at the top. */
export function deltasOf(base: RunView, other: RunView): Delta[] {
  const [before, after] = [byKey(base), byKey(other)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys
    .map((key) => deltaOf(key, before.get(key), after.get(key)))
    .sort((a, b) => ORDER[a.verdict] - ORDER[b.verdict] || worsening(b) - worsening(a) || a.key.localeCompare(b.key));
}

/** How many figures have each verdict, and how many miss their target now. */
export function countsOf(deltas: readonly Delta[]): { worse: number; better: number; same: number; missed: number } {
  const count = (verdict: Delta["verdict"]): number => deltas.filter((one) => one.verdict === verdict).length;
  return { worse: count("worse"), better: count("better"), same: count("same"), missed: deltas.filter((one) => !one.ok).length };
}

function deltaOf(key: string, before: Figure | undefined, after: Figure | undefined): Delta {
  const [suite = "", name = ""] = key.split("\u0000");
  const shown = after ?? before;
  const change =
    before && after && before.value !== 0
      ? (after.value - before.value) / Math.abs(before.value)
      : before && after && after.value === before.value
        ? 0
        : null;
  return {
    key,
    suite,
    name,
    unit: shown?.unit ?? "",
    base: before?.value ?? null,
    value: after?.value ?? null,
    target: shown?.target ?? null,
    more: shown?.more ?? false,
    ok: after?.ok ?? true,
    change,
    verdict: verdictOf(before, after, change),
  };
}

function verdictOf(before: Figure | undefined, after: Figure | undefined, change: number | null): Delta["verdict"] {
  if (!before || !after) return before ? "only_base" : "only_new";
  const moved = change ?? after.value - before.value;
  if (Math.abs(moved) < NOISE && before.ok === after.ok) return "same";
  if (moved === 0) return "same";
  return moved > 0 === after.more ? "better" : "worse";
}

function worsening(delta: Delta): number {
  if (delta.change === null) return 0;
  return delta.more ? -delta.change : delta.change;
}

function byKey(run: RunView): Map<string, Figure> {
  return new Map(run.figures.map((one) => [`${one.suite}\u0000${one.name}`, one]));
}

function figureOf(one: JsonObject): Figure {
  return {
    suite: text(one["suite"]),
    name: text(one["name"]),
    value: number(one["value"]),
    target: typeof one["target"] === "number" ? one["target"] : null,
    unit: text(one["unit"]),
    more: one["more"] === true,
    ok: one["ok"] !== false,
  };
}
