import { Dialog } from "../parts/dialog";
import { sayChat } from "../words/chat";

const KEYS = [
  ["Enter", "keySend"],
  ["Shift + Enter", "keyBreak"],
  ["Esc", "keyStop"],
  ["/", "keySkill"],
  ["↑ ↓ Tab", "keyMenu"],
  ["?", "keyHelp"],
] as const;

/** The keys of the chat. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={sayChat("shortcuts")} onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, word]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{sayChat(word)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
