import { object, text } from "../events/read";
import type { Json, JsonObject } from "../generated/api";
import { language } from "./language";

/** A text of the server: one for all languages, or by language, the reader's first. */
export function spoken(value: Json | undefined): string {
  if (typeof value === "string") return value;
  const both = object(value);
  return text(both[language.value]) || text(both["en"]) || text(both["zh"]);
}

/** The title of a skill in the reader's language; its id if it has none. */
export function skillTitle(skill: JsonObject): string {
  return spoken(skill["titles"]) || text(skill["title"]) || text(skill["id"]);
}

/** What a skill is for, in the reader's language: for people where the server says it for them. */
export function skillDescription(skill: JsonObject): string {
  return spoken(skill["summaries"]) || spoken(skill["descriptions"]) || text(skill["description"]);
}
