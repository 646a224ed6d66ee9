/** What a chart is: rows under columns, and which column goes where. The same words as the server's ChartSpec. */

import type { ChartSpec as SentSpec } from "../../generated/api";

/** The six kinds. */
export type ChartKind = SentSpec["kind"];

/** Every kind, in the order in which a reader may pick. */
export const CHART_KINDS: readonly ChartKind[] = ["grouped_bar", "line", "stacked_bar", "scatter", "heatmap", "table"];

/** One value of a row. */
export type Cell = string | number | boolean | null;

/** One column: its key, its heading, what its values are, and their unit. */
export interface Column {
  readonly key: string;
  readonly title: string;
  readonly type: string;
  readonly unit: string;
}

/** A chart that can be drawn; each row is a list in the order of the columns. */
export interface ChartSpec {
  readonly kind: ChartKind;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly x: string;
  readonly y: readonly string[];
  readonly group: string;
  readonly range: readonly [number, number] | null;
  readonly thresholds: readonly Threshold[];
  readonly cursors: readonly Cursor[];
  readonly note: string;
}

/** A limit drawn into a chart. */
export interface Threshold {
  readonly value: number;
  readonly title: string;
}

/** Upright lines of one title: a place along the bottom with its multiples, and the side bands beside them. */
export interface Cursor {
  readonly title: string;
  readonly at: readonly number[];
  readonly sides: readonly number[];
}

/** A row as it may come: a list, or an object by the columns' keys. */
export type LooseRow = readonly unknown[] | { readonly [key: string]: unknown };

/** A chart from JSON; what cannot be drawn as its kind becomes a table, so nothing is lost. */
export function readSpec(value: unknown, data?: readonly LooseRow[]): ChartSpec {
  const given = isObject(value) ? value : {};
  const found = data ?? (Array.isArray(given["rows"]) ? (given["rows"] as LooseRow[]) : []);
  const columns = readColumns(given["columns"], found);
  const rows = found.map((row) => readRow(row, columns));
  const keys = new Set(columns.map((column) => column.key));
  const x = known(given["x"], keys);
  const group = known(given["group"], keys);
  const y = (Array.isArray(given["y"]) ? given["y"] : [given["y"]]).map((one) => known(one, keys)).filter(Boolean);
  const wanted = CHART_KINDS.find((kind) => kind === given["kind"]) ?? "table";
  const lines = { thresholds: readThresholds(given["thresholds"]), cursors: readCursors(given["cursors"]) };
  const drawn = { range: readRange(given["range"]), ...lines, note: text(given["note"]) };
  const spec = { kind: wanted, title: text(given["title"]), columns, rows, x, y, group, ...drawn };
  return drawable(spec, wanted) ? spec : { ...spec, kind: "table" };
}

function readRange(value: unknown): readonly [number, number] | null {
  const [low, high] = Array.isArray(value) ? (value as unknown[]) : [];
  return typeof low === "number" && typeof high === "number" && low < high ? [low, high] : null;
}

function readThresholds(value: unknown): Threshold[] {
  const found = Array.isArray(value) ? value.filter(isObject) : [];
  return found.flatMap((one) => (typeof one["value"] === "number" ? [{ value: one["value"], title: text(one["title"]) }] : []));
}

function readCursors(value: unknown): Cursor[] {
  const numbers = (listed: unknown): number[] => (Array.isArray(listed) ? listed.filter((one) => typeof one === "number") : []);
  const found = Array.isArray(value) ? value.filter(isObject) : [];
  return found.map((one) => ({ title: text(one["title"]), at: numbers(one["at"]), sides: numbers(one["sides"]) }));
}

/** Whether the columns suffice for a kind. */
export function drawable(spec: ChartSpec, kind: ChartKind): boolean {
  if (kind === "table") return true;
  if (!spec.x || spec.y.length === 0 || spec.rows.length === 0) return false;
  if (kind === "heatmap") return spec.group !== "";
  return kind !== "scatter" || values(spec, spec.x).every((one) => one === null || typeof one === "number");
}

/** Every value of a column, in the order of the rows. */
export function values(spec: ChartSpec, key: string): Cell[] {
  const at = spec.columns.findIndex((column) => column.key === key);
  return spec.rows.map((row) => row[at] ?? null);
}

/** A column by its key; one that is not there is named by its key. */
export function columnOf(spec: ChartSpec, key: string): Column {
  return spec.columns.find((column) => column.key === key) ?? { key, title: key, type: "text", unit: "" };
}

/** What stands above a column: its title, and its unit in brackets. */
export function heading(column: Column): string {
  return column.unit ? `${column.title} (${column.unit})` : column.title;
}

/** The unit of the measured values, when they share one. */
export function unitOf(spec: ChartSpec): string {
  const units = new Set(spec.y.map((key) => columnOf(spec, key).unit));
  return units.size === 1 ? ([...units][0] ?? "") : "";
}

/** The rows as CSV with a header; a leading mark lets spreadsheets read Chinese. */
export function toCsv(spec: ChartSpec): string {
  const lines = [spec.columns.map(heading), ...spec.rows].map((row) => row.map(csvCell).join(","));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

/** A text that would start a formula in a spreadsheet is quoted with an apostrophe first. */
function csvCell(cell: Cell): string {
  if (cell === null) return "";
  const plain = String(cell);
  const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function readColumns(given: unknown, rows: readonly LooseRow[]): Column[] {
  if (Array.isArray(given) && given.length > 0) {
    return given.filter(isObject).map((one) => ({
      key: text(one["key"]),
      title: text(one["title"]) || text(one["key"]),
      type: text(one["type"]) || "text",
      unit: text(one["unit"]),
    }));
  }
  const first = rows[0];
  const keys = Array.isArray(first) ? first.map((_, at) => String(at)) : Object.keys(first ?? {});
  return keys.map((key) => ({ key, title: key, type: typeof pick(first, key) === "number" ? "number" : "text", unit: "" }));
}

function readRow(row: LooseRow, columns: readonly Column[]): Cell[] {
  return columns.map((column, at) => cell(Array.isArray(row) ? row[at] : pick(row, column.key)));
}

function pick(row: LooseRow | undefined, key: string): unknown {
  if (row === undefined) return undefined;
  return Array.isArray(row) ? row[Number(key)] : (row as { readonly [key: string]: unknown })[key];
}

function cell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}

function known(value: unknown, keys: ReadonlySet<string>): string {
  return typeof value === "string" && keys.has(value) ? value : "";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
