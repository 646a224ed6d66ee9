import type { Column, Json } from "../generated/api";

/** A table as CSV: quoted where needed, with a mark for Excel, and no cell that a spreadsheet would run. */
export function csvOf(columns: Column[], rows: Json[][]): string {
  const head = columns.map((column) => cellOf(column.unit ? `${column.title} (${column.unit})` : column.title));
  const lines = rows.map((row) => columns.map((_, at) => cellOf(row[at] ?? null)));
  return "\ufeff" + [head, ...lines].map((line) => line.join(",")).join("\r\n") + "\r\n";
}

/** A value as the text of its cell on the screen. */
export function cellText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function cellOf(value: Json): string {
  let text = cellText(value);
  if (typeof value !== "number" && /^[=+\-@\t\r\n＝＋－＠]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
