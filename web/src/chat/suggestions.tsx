import { useState } from "preact/hooks";
import type { Turn } from "../events/types";
import { sayChat } from "../words/chat";
import { draft } from "./outbox";
import { openPauses } from "./session";

/** What might be said next: goes into the field, never out by itself; several at once where the event says so. */
export function Suggestions({ turn }: { turn: Turn }) {
  const [chosen, setChosen] = useState<string[]>([]);
  if (turn.suggestions.length === 0 || openPauses.value.length > 0) return null;
  const write = (text: string): void => {
    draft.value = text;
    document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
  };
  const press = (value: string): void => {
    if (!turn.many) return write(value);
    const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    setChosen(next);
    draft.value = next.join("；");
  };
  return (
    <div class="suggestions" role="group" aria-label={sayChat("suggestions")}>
      {turn.suggestions.map((one) => (
        <button key={one.text} class="suggestion" aria-pressed={turn.many ? chosen.includes(one.value) : undefined} onClick={() => press(one.value)}>
          {one.text}
        </button>
      ))}
    </div>
  );
}
