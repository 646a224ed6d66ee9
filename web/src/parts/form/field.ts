import { list, number, object, same, text, texts } from "../../events/read";
import type { FormField, Json, JsonObject } from "../../generated/api";

/** How a field is filled in. */
export type FieldKind = "text" | "textarea" | "number" | "integer" | "boolean" | "choice" | "many" | "date" | "datetime" | "time" | "array" | "range" | "object" | "json";

/** One field of a form, read from a JSON Schema and the server's hints. */
export interface Field {
  name: string;
  label: string;
  help: string;
  kind: FieldKind;
  required: boolean;
  options: { value: Json; label: string }[];
  min: number | string | null;
  max: number | string | null;
  minLength: number;
  maxLength: number | null;
  minItems: number;
  maxItems: number | null;
  pattern: string;
  placeholder: string;
  unit: string;
  initial: Json | undefined;
  item: Field | null;
  fields: Field[];
}

const DEPTH = 6;

/** The fields of an object schema, in the order of the hints where there are any. */
export function fieldsOf(schema: JsonObject, hints: FormField[] = []): Field[] {
  const properties = object(schema["properties"]);
  const required = new Set(texts(schema["required"]));
  const order = [...hints.map((hint) => hint.name).filter((name) => name in properties), ...Object.keys(properties)];
  const named = new Map(hints.map((hint) => [hint.name, hint]));
  return [...new Set(order)].map((name) => fieldOf(name, object(properties[name]), schema, { required: required.has(name), hint: named.get(name) }));
}

/** Fields for values of which no schema is known: as they look. */
export function fieldsLike(values: JsonObject): Field[] {
  return fieldsOf({ type: "object", properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, schemaLike(value)])) });
}

interface Extra {
  required?: boolean;
  hint?: FormField | undefined;
  depth?: number;
}

function fieldOf(name: string, given: JsonObject, whole: JsonObject, { required = false, hint, depth = 0 }: Extra): Field {
  const schema = followed(given, whole);
  const ui = object(schema["x-ui"]);
  const kind = depth > DEPTH ? "json" : kindOf(schema, hint?.widget ?? text(ui["widget"]));
  const inner = { depth: depth + 1 };
  return {
    name,
    label: hint?.title || text(schema["title"]) || name,
    help: hint?.description || text(schema["description"]),
    kind,
    required,
    options: hint?.options ?? optionsOf(schema, whole),
    min: limit(hint, "min") ?? bound(schema, "minimum", "formatMinimum"),
    max: limit(hint, "max") ?? bound(schema, "maximum", "formatMaximum"),
    minLength: number(schema["minLength"]),
    maxLength: typeof schema["maxLength"] === "number" ? schema["maxLength"] : null,
    minItems: number(schema["minItems"]),
    maxItems: typeof schema["maxItems"] === "number" ? schema["maxItems"] : null,
    pattern: text(schema["pattern"]),
    placeholder: hint?.placeholder ?? "",
    unit: hint?.unit ?? text(ui["unit"]),
    initial: schema["default"] ?? schema["const"],
    item: kind === "array" || kind === "range" ? fieldOf("", object(schema["items"]), whole, { required: true, ...inner }) : null,
    fields: kind === "object" ? Object.entries(object(schema["properties"])).map(([key, value]) => fieldOf(key, object(value), whole, { required: texts(schema["required"]).includes(key), ...inner })) : [],
  };
}

function kindOf(schema: JsonObject, widget: string): FieldKind {
  const type = typeOf(schema);
  if (list(schema["enum"]).length > 0) return "choice";
  if (type === "array") return arrayKind(schema, widget);
  if (type === "object") return Object.keys(object(schema["properties"])).length > 0 ? "object" : "json";
  if (type === "boolean" || type === "integer" || type === "number") return type;
  const format = text(schema["format"]);
  if (format === "date" || widget === "date") return "date";
  if (format === "date-time" || widget === "datetime") return "datetime";
  if (format === "time" || widget === "time") return "time";
  if (type && type !== "string") return "json";
  return widget === "textarea" || number(schema["maxLength"]) > 200 ? "textarea" : "text";
}

function arrayKind(schema: JsonObject, widget: string): FieldKind {
  const items = object(schema["items"]);
  if (list(items["enum"]).length > 0) return "many";
  if (Object.keys(items).length === 0 && schema["prefixItems"]) return "json";
  const simple = ["number", "integer", "string"].includes(typeOf(items));
  return widget === "range" || (schema["maxItems"] === 2 && schema["minItems"] === 2 && simple) ? "range" : "array";
}

function typeOf(schema: JsonObject): string {
  const type = schema["type"];
  return Array.isArray(type) ? text(type.find((one) => one !== "null")) : text(type);
}

function optionsOf(schema: JsonObject, whole: JsonObject): { value: Json; label: string }[] {
  const values = list(schema["enum"]).length > 0 ? list(schema["enum"]) : list(followed(object(schema["items"]), whole)["enum"]);
  return values.filter((value) => value !== null).map((value) => ({ value, label: String(value) }));
}

function limit(hint: FormField | undefined, name: "min" | "max"): number | string | null {
  const value = (hint as unknown as JsonObject | undefined)?.[name];
  return typeof value === "number" || typeof value === "string" ? value : null;
}

function bound(schema: JsonObject, ...names: string[]): number | string | null {
  for (const name of names) {
    const value = schema[name];
    if (typeof value === "number" || typeof value === "string") return value;
  }
  return null;
}

function followed(given: JsonObject, whole: JsonObject): JsonObject {
  let found = given;
  for (let at = 0; at < DEPTH; at += 1) {
    const target = text(found["$ref"]);
    const ways = list(found["anyOf"]).map(object).filter((way) => way["type"] !== "null");
    const below = target.startsWith("#/") ? atPointer(whole, target) : ways.length === 1 ? (ways[0] ?? null) : null;
    if (!below) break;
    const { $ref: _ref, anyOf: _anyOf, ...rest } = found;
    found = { ...below, ...rest };
  }
  return found;
}

function atPointer(whole: JsonObject, pointer: string): JsonObject {
  const parts = pointer.slice(2).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts.reduce<JsonObject>((at, part) => object(at[part]), whole);
}

function schemaLike(value: Json): JsonObject {
  if (Array.isArray(value)) {
    const first = value.length > 0 && value.every((one) => same(schemaLike(one), schemaLike(value[0] ?? null))) ? schemaLike(value[0] ?? null) : {};
    return Object.keys(first).length > 0 ? { type: "array", items: first } : { type: "array", prefixItems: true };
  }
  if (typeof value === "object" && value !== null) {
    return { type: "object", properties: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaLike(one)])) };
  }
  if (typeof value === "number") return { type: "number" };
  if (typeof value === "boolean") return { type: "boolean" };
  return { type: "string", ...(typeof value === "string" && value.length > 120 ? { maxLength: 100_000 } : {}) };
}
