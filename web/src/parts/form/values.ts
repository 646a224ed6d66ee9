import { same } from "../../events/read";
import type { Json, JsonObject } from "../../generated/api";
import type { Field } from "./field";

/** What stands in the fields while somebody writes: text as typed, rows as lists. */
export type Raw = string | boolean | Raw[] | { [name: string]: Raw };

/** What is wrong in a form, and where. */
export interface Problem {
  path: string;
  label: string;
  code: "missing" | "number" | "integer" | "low" | "high" | "short" | "long" | "pattern" | "date" | "few" | "much" | "order" | "json";
  limit: string;
}

/** A read form: its value where all fits, and what does not. */
export interface Reading {
  value: Json | undefined;
  problems: Problem[];
}

/** What a field begins with. */
export function firstRaw(field: Field, known: Json | undefined): Raw {
  const value = known ?? field.initial;
  switch (field.kind) {
    case "boolean":
      return value === true;
    case "choice":
      return value === undefined ? "" : String(field.options.findIndex((one) => same(one.value, value)));
    case "many":
      return (Array.isArray(value) ? value : []).map((one) => String(field.options.findIndex((option) => same(option.value, one)))).filter((at) => at !== "-1");
    case "range":
      return [0, 1].map((at) => firstRaw(field.item as Field, Array.isArray(value) ? value[at] : undefined));
    case "array": {
      const rows = Array.isArray(value) ? value : Array.from({ length: Math.max(field.minItems, field.required ? 1 : 0) }, () => undefined);
      return rows.map((one) => firstRaw(field.item as Field, one));
    }
    case "object":
      return rawOf(field.fields, typeof value === "object" && value !== null && !Array.isArray(value) ? value : {});
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2);
    default:
      return value === undefined || value === null ? "" : localText(field, String(value));
  }
}

/** What a form begins with. */
export function rawOf(fields: Field[], known: JsonObject): { [name: string]: Raw } {
  return Object.fromEntries(fields.map((field) => [field.name, firstRaw(field, known[field.name])]));
}

/** Read a whole form: the object to send, and what does not fit. */
export function readForm(fields: Field[], raw: { [name: string]: Raw }): { value: JsonObject; problems: Problem[] } {
  const value: JsonObject = {};
  const problems: Problem[] = [];
  for (const field of fields) {
    const read = readField(field, raw[field.name] ?? "", field.name);
    problems.push(...read.problems);
    if (read.value !== undefined) value[field.name] = read.value;
  }
  return { value, problems };
}

/** Read one field; undefined where it was left empty. */
export function readField(field: Field, raw: Raw, path: string): Reading {
  switch (field.kind) {
    case "boolean":
      return { value: raw === true, problems: [] };
    case "choice":
      return chosen(field, raw, path);
    case "many":
      return counted(field, path, (Array.isArray(raw) ? raw : []).map((at) => ({ value: field.options[Number(at)]?.value, problems: [] })));
    case "array":
      return counted(field, path, (Array.isArray(raw) ? raw : []).map((one, at) => readField(rowOf(field, at), one, `${path}.${at}`)));
    case "range":
      return ranged(field, raw, path);
    case "object":
      return nested(field, raw, path);
    default:
      return scalar(field, typeof raw === "string" ? raw : "", path);
  }
}

function chosen(field: Field, raw: Raw, path: string): Reading {
  const option = typeof raw === "string" && raw !== "" ? field.options[Number(raw)] : undefined;
  if (option) return { value: option.value, problems: [] };
  return field.required ? wrong(field, path, "missing") : { value: undefined, problems: [] };
}

/** The field of one row, named after the list and its place. */
function rowOf(field: Field, at: number): Field {
  const item = field.item as Field;
  return { ...item, label: `${item.label || field.label} ${at + 1}` };
}

function counted(field: Field, path: string, read: Reading[]): Reading {
  const problems = read.flatMap((one) => one.problems);
  const value = read.map((one) => one.value).filter((one): one is Json => one !== undefined);
  if (value.length === 0 && problems.length === 0 && !field.required) return { value: undefined, problems };
  const least = Math.max(field.minItems, 0);
  if (value.length < least && problems.length === 0) problems.push(...wrong(field, path, value.length === 0 ? "missing" : "few", String(least)).problems);
  if (field.maxItems !== null && value.length > field.maxItems) problems.push(...wrong(field, path, "much", String(field.maxItems)).problems);
  return { value, problems };
}

function ranged(field: Field, raw: Raw, path: string): Reading {
  const both = Array.isArray(raw) ? raw : [];
  if (!field.required && both.every((one) => one === "")) return { value: undefined, problems: [] };
  const item = { ...(field.item as Field), label: field.label };
  const [from, to] = [0, 1].map((at) => readField(item, both[at] ?? "", `${path}.${at}`)) as [Reading, Reading];
  const problems = [...from.problems, ...to.problems];
  if (problems.length === 0 && (from.value as number) > (to.value as number)) problems.push(...wrong(field, `${path}.1`, "order").problems);
  return { value: [from.value ?? null, to.value ?? null], problems };
}

function nested(field: Field, raw: Raw, path: string): Reading {
  const given = typeof raw === "object" && !Array.isArray(raw) ? raw : {};
  const read = readForm(field.fields, given);
  if (!field.required && isBlank(given)) return { value: undefined, problems: [] };
  return { value: read.value, problems: read.problems.map((one) => ({ ...one, path: `${path}.${one.path}` })) };
}

function isBlank(raw: Raw): boolean {
  if (typeof raw === "object") return Object.values(raw).every(isBlank);
  return raw === "" || raw === false;
}

function scalar(field: Field, raw: string, path: string): Reading {
  const text = field.kind === "text" || field.kind === "textarea" ? raw : raw.trim();
  if (text.trim() === "") return field.required ? wrong(field, path, "missing") : { value: undefined, problems: [] };
  if (field.kind === "number" || field.kind === "integer") return numbered(field, text, path);
  if (field.kind === "json") return parsed(field, text, path);
  if (field.kind === "date" || field.kind === "datetime" || field.kind === "time") return dated(field, text, path);
  if (Array.from(text).length < field.minLength) return wrong(field, path, "short", String(field.minLength));
  if (field.maxLength !== null && Array.from(text).length > field.maxLength) return wrong(field, path, "long", String(field.maxLength));
  if (field.pattern && !fits(field.pattern, text)) return wrong(field, path, "pattern", field.pattern);
  return { value: text, problems: [] };
}

function numbered(field: Field, text: string, path: string): Reading {
  const value = Number(text);
  if (!Number.isFinite(value)) return wrong(field, path, "number");
  if (field.kind === "integer" && !Number.isInteger(value)) return wrong(field, path, "integer");
  if (typeof field.min === "number" && value < field.min) return wrong(field, path, "low", String(field.min));
  if (typeof field.max === "number" && value > field.max) return wrong(field, path, "high", String(field.max));
  return { value, problems: [] };
}

function dated(field: Field, text: string, path: string): Reading {
  if (field.kind === "time") return { value: text, problems: [] };
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return wrong(field, path, "date");
  if (typeof field.min === "string" && at < new Date(field.min)) return wrong(field, path, "low", field.min);
  if (typeof field.max === "string" && at > new Date(field.max)) return wrong(field, path, "high", field.max);
  return { value: field.kind === "date" ? text : withZone(at, text), problems: [] };
}

function parsed(field: Field, text: string, path: string): Reading {
  try {
    return { value: JSON.parse(text) as Json, problems: [] };
  } catch {
    return wrong(field, path, "json");
  }
}

/** A repeated group may take exponential time in the browser's engine, and a long text too much: the server judges both. */
function fits(pattern: string, text: string): boolean {
  if (/\)[*+{]/.test(pattern) || text.length > 500) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true; // a pattern of another dialect: the server judges
  }
}

/** RFC 3339 wants a zone; a local field has none, so it gets the reader's. */
function withZone(at: Date, text: string): string {
  if (/(Z|[+-]\d\d:\d\d)$/.test(text)) return text;
  const minutes = -at.getTimezoneOffset();
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const seconds = /T\d\d:\d\d$/.test(text) ? ":00" : "";
  return `${text}${seconds}${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function localText(field: Field, text: string): string {
  if (field.kind !== "datetime" || !/(Z|[+-]\d\d:\d\d)$/.test(text)) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function wrong(field: Field, path: string, code: Problem["code"], limit = ""): Reading {
  return { value: undefined, problems: [{ path, label: field.label, code, limit }] };
}
