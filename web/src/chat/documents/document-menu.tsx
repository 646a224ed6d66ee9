import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../parts/icon";
import { sayChat } from "../../words/chat";
import { attached } from "../attachments";
import { draft } from "../outbox";
import type { MenuHandle } from "../skill-menu";
import { mentionOf, nameOf, writtenPaths } from "./viewing";

const MENTION = /(?:^|\s)[@＠]([^\s@＠#]*)$/;

/** The letters after an `@` at the end of the text; null when there is none, or nothing to choose from. */
export function mentionWord(text: string): string | null {
  const word = MENTION.exec(text)?.[1] ?? null;
  return word !== null && documentNames(word).length > 0 ? word : null;
}

/** Names of the conversation's documents that have these letters. */
function documentNames(word: string): string[] {
  const all = [...attached.value.map((one) => one.name), ...writtenPaths().map(nameOf)];
  return [...new Set(all)].filter((name) => name.toLowerCase().includes(word.toLowerCase()));
}

/** The documents that fit the letters after `@`. */
export function DocumentMenu({ word, handle, onPicked }: { word: string; handle: { current: MenuHandle | null }; onPicked: () => void }) {
  const [at, setAt] = useState(0);
  const names = documentNames(word);
  useEffect(() => setAt(0), [word]);
  const pick = (name: string | undefined): boolean => {
    if (name === undefined) return false;
    draft.value = draft.value.slice(0, draft.value.length - word.length - 1) + mentionOf(name);
    onPicked();
    return true;
  };
  handle.current = {
    active: () => (names[at] ? `document-${at}` : undefined),
    key: (event) => {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step) setAt((at + step + names.length) % names.length);
      if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") return pick(names[at]);
      return step !== 0;
    },
  };
  return (
    <ul class="skill-menu card" id="skill-menu" role="listbox" tabIndex={0} aria-label={sayChat("documents")}>
      {names.map((name, place) => (
        <li
          key={name}
          id={`document-${place}`}
          role="option"
          aria-selected={place === at}
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => place !== at && setAt(place)}
          onClick={() => pick(name)}
        >
          <span class="skill-title">
            <Icon name="file" size={14} /> {name}
          </span>
        </li>
      ))}
    </ul>
  );
}
