import { list, notesOf, number, object, text, texts } from "../events/read";
import type { Said } from "../events/state";
import type { JsonObject } from "../generated/api";

/** From which probability a skill is used, and from which it is offered. */
export interface Thresholds {
  readonly auto: number;
  readonly suggest: number;
}

/** One thing that spoke for or against a skill. */
export interface Feature {
  readonly feature: string;
  readonly value: number;
  readonly words: readonly string[];
  readonly reason: JsonObject;
}

/** A skill that may be meant. */
export interface CandidateView {
  readonly skill: string;
  readonly title: string;
  readonly score: number;
  readonly band: "auto" | "suggest" | "none";
  readonly lexical: number;
  readonly vector: number | null;
  readonly hits: readonly string[];
  readonly negated: readonly string[];
  readonly features: readonly Feature[];
}

/** A skill that was not offered, and why. */
export interface FilteredView extends Said {
  readonly skill: string;
}

/** A decision as the playground shows it. */
export interface RouteView {
  readonly verdict: string;
  readonly route: string;
  readonly message: string;
  readonly skills: readonly string[];
  readonly candidates: readonly CandidateView[];
  readonly filtered: readonly FilteredView[];
  readonly notes: readonly Said[];
  readonly thresholds: Thresholds;
  readonly meant: number | null;
  readonly margin: number | null;
  readonly vectors: boolean;
  readonly elapsed_ms: number;
}

/** A piece of a message, and whether a word in it was hit. */
export interface Piece {
  readonly text: string;
  readonly hit: boolean;
}

/** A case for a skill's `evals/eval_queries.json`. */
export interface EvalCase {
  readonly query: string;
  readonly should_trigger: boolean;
}

/** Read a decision; the best candidate comes first. */
export function routeView(data: JsonObject): RouteView {
  const given = object(data["thresholds"]);
  const thresholds = { auto: number(given["auto"], 0.8), suggest: number(given["suggest"], 0.6) };
  const titles = object(data["titles"]);
  const candidates = list(data["candidates"])
    .map(object)
    .map((one) => candidateOf(one, thresholds, text(titles[text(one["skill"])])))
    .sort((a, b) => b.score - a.score);
  const [first, second] = candidates;
  const skills = texts(data["skills"]);
  // Skills that are asked for together are no rivals.
  const rivals = first && second && skills.length < 2;
  return {
    verdict: text(data["verdict"]) || "none",
    route: text(data["route"]),
    message: text(data["message"]),
    skills,
    candidates,
    filtered: list(data["filtered"])
      .map(object)
      .map((one) => ({ skill: text(one["skill"]), code: text(one["code"]), values: object(one["values"]), text: text(one["text"]) })),
    notes: notesOf(data),
    thresholds,
    meant: typeof data["meant"] === "number" ? data["meant"] : null,
    margin: rivals ? first.score - second.score : null,
    vectors: data["vectors"] === true,
    elapsed_ms: number(data["elapsed_ms"]),
  };
}

/** The words of a candidate that stand in the message: its triggers and what it shares with it. */
export function hitWords(candidate: CandidateView): string[] {
  const shared = candidate.features.filter((one) => one.feature === "words").flatMap((one) => one.words);
  return [...new Set([...candidate.hits, ...shared])].filter(Boolean);
}

/** The message cut where words were hit, whatever their case; the longest word wins, and Latin words count only whole. */
export function highlighted(message: string, words: readonly string[]): Piece[] {
  const longest = [...words].filter(Boolean).sort((a, b) => b.length - a.length);
  const low = message.toLowerCase();
  const pieces: { text: string; hit: boolean }[] = [];
  let at = 0;
  while (at < message.length) {
    const word = longest.find((one) => low.startsWith(one.toLowerCase(), at) && isWhole(low, at, one.length));
    const [taken, hit] = word ? [message.slice(at, at + word.length), true] : [String.fromCodePoint(message.codePointAt(at) ?? 32), false];
    const last = pieces.at(-1);
    if (last && last.hit === hit && !hit) last.text += taken;
    else pieces.push({ text: taken, hit });
    at += taken.length;
  }
  return pieces;
}

/** Whether a match neither begins nor ends inside a Latin word. */
function isWhole(text: string, at: number, length: number): boolean {
  const joins = (index: number): boolean => /[a-z0-9]/.test(text[index - 1] ?? "") && /[a-z0-9]/.test(text[index] ?? "");
  return !joins(at) && !joins(at + length);
}

/** The message as cases: it should go to the expected skill; null means to none, so the chosen one must not take it. */
export function evalCases(view: RouteView, expected: string | null): Record<string, EvalCase[]> {
  const cases: Record<string, EvalCase[]> = {};
  if (expected) cases[expected] = [{ query: view.message, should_trigger: true }];
  const taken = view.verdict === "auto" ? view.skills : [];
  for (const skill of taken) if (skill !== expected) cases[skill] = [{ query: view.message, should_trigger: false }];
  return cases;
}

function candidateOf(one: JsonObject, thresholds: Thresholds, title: string): CandidateView {
  const score = number(one["score"]);
  return {
    skill: text(one["skill"]),
    title: title || text(one["skill"]),
    score,
    band: score >= thresholds.auto ? "auto" : score >= thresholds.suggest ? "suggest" : "none",
    lexical: number(one["lexical"]),
    vector: typeof one["vector"] === "number" ? one["vector"] : null,
    hits: texts(one["trigger_hits"]),
    negated: texts(one["negated"]),
    features: list(one["why"])
      .map(object)
      .map((why) => ({ feature: text(why["feature"]), value: number(why["value"]), words: texts(why["words"]), reason: why })),
  };
}
