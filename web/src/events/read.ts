import type { Choice, Pause, Routing, Said } from "./state";
import type { Column, FormField, Json, JsonObject, Suggestion, Todo, WaitingCall } from "../generated/api";

/** A value as text; anything else is empty. */
export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A value as a number; anything else is the default. */
export function number(value: Json | undefined, otherwise = 0): number {
  return typeof value === "number" ? value : otherwise;
}

/** A value as an object; anything else is empty. */
export function object(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** A value as a list; anything else is empty. */
export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list. */
export function texts(value: Json | undefined): string[] {
  return list(value).filter((one): one is string => typeof one === "string");
}

/** Why a skill was chosen, from a `skill.routed` event. */
export function routingOf(data: JsonObject): Routing {
  return {
    verdict: text(data["verdict"]),
    route: text(data["route"]),
    skill: text(data["skill"]) || null,
    candidates: list(data["candidates"]).map(object).map((one) => ({
      skill: text(one["skill"]),
      score: number(one["score"]),
      why: list(one["why"]),
    })),
    notes: notesOf(data),
    types: texts(object(data["task"])["types"]),
    elapsed_ms: number(data["elapsed_ms"]),
  };
}

/** What led to a decision: the sentences, each with its code and values where the server tells them. */
export function notesOf(data: JsonObject): Said[] {
  const why = list(data["why"]).map(object);
  return texts(data["notes"]).map((words, at) => ({ code: text(why[at]?.["code"]), values: object(why[at]?.["values"]), text: words }));
}

/** A question, from a `pause.opened` event or from the list of open ones. */
export function pauseOf(data: JsonObject): Pause {
  const form = object(data["form"]);
  return {
    id: text(data["pause"]) || text(data["id"]),
    kind: text(data["kind"]),
    purpose: text(data["purpose"]),
    schema: object(data["schema"]),
    expires: text(data["expires_at"]) || null,
    text: text(data["text"]),
    step: text(data["step"]),
    title: text(data["title"]) || text(form["title"]),
    tool: text(data["tool"]),
    reason: text(data["reason"]),
    choices: list(data["choices"]).map(choiceOf),
    calls: list(data["calls"]).map(object).map(callOf),
    known: { ...object(form["given"]), ...object(data["known"]) },
    missing: texts(data["missing"]),
    fields: list(form["fields"]).map(object) as unknown as FormField[],
    show: data["show"] ?? null,
    chosen: Array.isArray(data["chosen_rows"]) ? texts(data["chosen_rows"]) : null,
    inDoubt: data["in_doubt"] === true,
    shown: text(data["shown"]),
  };
}

/** The columns of a table or chart. */
export function columnsOf(value: Json | undefined): Column[] {
  return list(value).map(object).map((one) => ({
    key: text(one["key"]),
    title: text(one["title"]) || text(one["key"]),
    type: (text(one["type"]) || "text") as Column["type"],
    unit: text(one["unit"]),
  }));
}

/** Rows as lists in the order of the columns, whichever way they were sent. */
export function rowsOf(value: Json | undefined, columns: Column[]): Json[][] {
  return list(value).map((row) => (Array.isArray(row) ? row : columns.map((column) => object(row)[column.key] ?? null)));
}

/** The list of things to do. */
export function todosOf(data: JsonObject): Todo[] {
  return list(data["todos"]).map(object).map((one) => ({ content: text(one["content"]), status: (text(one["status"]) || "pending") as Todo["status"] }));
}

/** What might be said next. */
export function suggestionsOf(data: JsonObject): Suggestion[] {
  return list(data["suggestions"]).map(object).map((one) => ({ text: text(one["text"]), value: text(one["value"]) || text(one["text"]) })).filter((one) => one.text);
}

/** A failure with its code, sentence and hint. */
export function failureOf(data: JsonObject): { code: string; message: string; hint: string } {
  const detail = text(data["detail"]); // the cause in English, where the message is in another language
  return { code: text(data["code"]) || "unknown", message: detail || text(data["message"]), hint: detail ? "" : text(data["hint"]) };
}

/** An answer in words, as it stands in the conversation. */
export function answerWords(pause: Pause, answer: Json): string {
  const chosen = pause.choices.find((one) => same(one.value, answer));
  if (chosen) return chosen.text;
  if (typeof answer === "string" || typeof answer === "number") return String(answer);
  if (Array.isArray(answer)) return answer.map((one) => answerWords(pause, one)).join(", ");
  return "";
}

/** A value in a line of words: lists with commas, objects as names with values. */
export function valueWords(value: Json | undefined): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, one]) => `${name}: ${valueWords(one)}`).join("; ");
}

/** A value of a form's field: the labels of its options where it has some. */
export function fieldWords(field: JsonObject | undefined, value: Json): string {
  if (Array.isArray(value)) return value.map((one) => fieldWords(field, one)).join(", ");
  const option = [...list(field?.["options"]), ...list(field?.["labels"])]
    .map(object)
    .find((one) => same(one["value"], value));
  return text(option?.["label"]) || valueWords(value);
}

/** Whether two values are the same JSON. */
export function same(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function choiceOf(value: Json): Choice {
  if (typeof value === "string") return { text: value, value, description: "" };
  const one = object(value);
  return { text: text(one["text"]) || String(one["value"] ?? ""), value: one["value"] ?? null, description: text(one["description"]) };
}

function callOf(one: JsonObject): WaitingCall {
  return { ...(one as unknown as WaitingCall), id: text(one["id"]), name: text(one["name"]), args: object(one["args"]) };
}
