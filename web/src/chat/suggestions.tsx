import type { Turn } from "../events/state";
import { sayChat } from "../words/chat";
import { draft } from "./outbox";
import { openPauses } from "./session";

/** What might be said next: goes into the field, never out by itself. */
export function Suggestions({ turn }: { turn: Turn }) {
  if (turn.suggestions.length === 0 || openPauses.value.length > 0) return null;
  const write = (text: string): void => {
    draft.value = text;
    document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
  };
  return (
    <div class="suggestions" role="group" aria-label={sayChat("suggestions")}>
      {turn.suggestions.map((one) => (
        <button key={one.text} class="suggestion" onClick={() => write(one.value)}>
          {one.text}
        </button>
      ))}
    </div>
  );
}
