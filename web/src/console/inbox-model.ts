import { list, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";

/** A row of the inbox: a refused call, an exception, or an open question. */
export interface InboxRow {
  readonly id: string;
  readonly at: string;
  readonly tool: string;
  readonly skill: string;
  readonly code: string;
  readonly layer: string;
  readonly text: string;
  readonly state: string;
  readonly note: string;
  readonly conversation: string;
  readonly turn: string;
}

/** The rows of a list under a key, whatever it holds. */
export function rowsOf(data: JsonObject, key: "violations" | "exceptions" | "pauses"): InboxRow[] {
  return list(data[key])
    .map(object)
    .map((one) => ({
      id: text(one["id"]) || text(one["pause"]),
      at: text(one["at"]) || text(one["requested_at"]) || text(one["opened_at"]),
      tool: text(one["tool"]),
      skill: text(one["skill"]),
      code: text(one["code"]) || text(one["kind"]),
      layer: text(one["layer"]),
      text: text(one["reason"]) || text(one["text"]) || text(one["title"]),
      state: text(one["state"]),
      note: text(one["note"]) || text(one["decided_by"]),
      conversation: text(one["conversation"]),
      turn: text(one["turn"]),
    }));
}

/** The rows that have every word. */
export function filtered(rows: readonly InboxRow[], typed: string): InboxRow[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const inside = [row.tool, row.skill, row.code, row.layer, row.text, row.state].join(" ").toLowerCase();
    return words.every((word) => inside.includes(word));
  });
}

/** How often each tool was refused, the most often first. */
export function byTool(rows: readonly InboxRow[]): { tool: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.tool, (counts.get(row.tool) ?? 0) + 1);
  return [...counts].map(([tool, count]) => ({ tool, count })).sort((a, b) => b.count - a.count || a.tool.localeCompare(b.tool));
}
