import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../parts/icon";
import { sayDocuments } from "../../words/documents";
import { draft } from "../outbox";
import type { MenuHandle } from "../skill-menu";
import { documentNames, mentionOf } from "./mention";

/** Props of `DocumentMenu`. */
export interface DocumentMenuProps {
  word: string;
  handle: { current: MenuHandle | null };
  onPicked: () => void;
}

/** The documents that fit the letters after `@`. */
export function DocumentMenu({ word, handle, onPicked }: DocumentMenuProps) {
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
      if (names.length === 0) return false;
      if (step) setAt((at + step + names.length) % names.length);
      if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") return pick(names[at]);
      return step !== 0;
    },
  };
  if (names.length === 0) return null;
  return (
    <ul class="skill-menu card" id="skill-menu" role="listbox" tabIndex={0} aria-label={sayDocuments("documents")}>
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
