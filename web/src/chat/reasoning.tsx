import { shownElapsed, shownNumber } from "../app/language";
import type { ReasoningItem } from "../events/state";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";

/** What the model thought before it answered: folded, as plain text, and never part of what is copied. */
export function Reasoning({ item }: { item: ReasoningItem }) {
  return (
    <details class="reasoning">
      <summary>
        {item.done ? <Icon name="question" size={15} /> : <span class="spinner" aria-hidden="true" />}
        <span>{sayChat(item.done ? "reasoning" : "reasoningNow")}</span>
        {item.elapsed_ms !== null && <span class="muted">{shownElapsed(item.elapsed_ms)}</span>}
        {item.done && <span class="muted">{sayChat("reasoningLength", { count: shownNumber([...item.text].length) })}</span>}
        <Icon name="down" size={14} />
      </summary>
      <p class="muted small">{sayChat("reasoningNote")}</p>
      <div class="reasoning-text" tabIndex={0} role="group" aria-label={sayChat("reasoning")}>
        {item.text}
      </div>
    </details>
  );
}
