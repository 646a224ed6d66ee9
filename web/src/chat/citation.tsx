import { signal } from "@preact/signals";
import type { Conversation } from "../events/state";
import type { Json } from "../generated/api";
import { Dialog } from "../parts/dialog";
import { Formatted } from "../parts/formatted";
import { sayChat } from "../words/chat";

const shown = signal<{ cite: string; passage: string } | null>(null);

/** Show the passage behind a citation, as a tool of this conversation gave it. */
export function showCitation(cite: string, state: Conversation | null): void {
  const tools = (state?.turns ?? []).flatMap((turn) => turn.items).filter((item) => item.type === "tool");
  const passage = tools.map((tool) => passageIn(tool.data ?? null, cite)).find(Boolean) ?? "";
  shown.value = { cite, passage };
}

/** The dialog of the citation that was pressed. */
export function CitationDialog() {
  const now = shown.value;
  if (!now) return null;
  return (
    <Dialog title={now.cite} onClose={() => (shown.value = null)}>
      {now.passage ? <Formatted text={now.passage} /> : <p class="muted">{sayChat("noPassage")}</p>}
    </Dialog>
  );
}

/** The text beside a reference, wherever it stands in a result. */
export function passageIn(value: Json, cite: string): string {
  if (Array.isArray(value)) return value.map((one) => passageIn(one, cite)).find(Boolean) ?? "";
  if (typeof value !== "object" || value === null) return "";
  const named = Object.values(value).some((one) => one === cite) || `${String(value["file"])}#${String(value["chunk"])}` === cite;
  const body = value["text"] ?? value["body"] ?? value["content"] ?? value["passage"];
  if (named && typeof body === "string") return body;
  return Object.values(value).map((one) => passageIn(one, cite)).find(Boolean) ?? "";
}
