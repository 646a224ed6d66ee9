import type { Turn } from "../events/state";
import { sayChat } from "../words/chat";
import { submit } from "./outbox";
import { openPauses, readOnly } from "./session";

/** What might be said next: a click says it. */
export function Suggestions({ turn }: { turn: Turn }) {
  if (readOnly.value || turn.suggestions.length === 0 || openPauses.value.length > 0) return null;
  const say = (text: string): void => {
    submit(text, null);
    document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
  };
  return (
    <div class="suggestions" role="group" aria-label={sayChat("suggestions")}>
      {turn.suggestions.map((one) => (
        <button key={one.text} class="suggestion" onClick={() => say(one.value)}>
          {one.text}
        </button>
      ))}
    </div>
  );
}
