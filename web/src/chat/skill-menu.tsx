import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { found } from "../parts/fuzzy";
import { sayChat } from "../words/chat";
import { skills } from "./catalog";

/** What the field tells the menu, and the menu the field. */
export interface MenuHandle {
  key: (event: KeyboardEvent) => boolean;
  active: () => string | undefined;
}

/** Props of `SkillMenu`. */
export interface SkillMenuProps {
  word: string;
  handle: { current: MenuHandle | null };
  onPick: (id: string, title: string) => void;
}

const MOST = 8;

/** The letters after a slash at the beginning; null when there is no slash, or a message follows already. */
export function slashWord(text: string): string | null {
  return /^[/／](\S*)$/.exec(text)?.[1] ?? null;
}

/** The skills that fit the letters after the slash. */
export function SkillMenu({ word, handle, onPick }: SkillMenuProps) {
  const [at, setAt] = useState(0);
  const box = useRef<HTMLUListElement>(null);
  const matches = useMemo(() => found(word, skills.value ?? [], (skill) => [skill.title, skill.id, skill.description]).slice(0, MOST), [word, skills.value]);
  useEffect(() => setAt(0), [word]);
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const pick = (place: number): boolean => {
    const skill = matches[place]?.thing;
    if (skill) onPick(skill.id, skill.title);
    return skill !== undefined;
  };
  handle.current = {
    active: () => (matches[at] ? `skill-${at}` : undefined),
    key: (event) => {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step && matches.length > 0) setAt((at + step + matches.length) % matches.length);
      if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") return pick(at);
      return step !== 0;
    },
  };
  return (
    <ul class="skill-menu card" id="skill-menu" role="listbox" tabIndex={0} aria-label={sayChat("skills")} ref={box}>
      {matches.map((match, place) => (
        <li
          key={match.thing.id}
          id={`skill-${place}`}
          role="option"
          aria-selected={place === at}
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => place !== at && setAt(place)}
          onClick={() => pick(place)}
        >
          <span class="skill-title">
            <Lit text={match.thing.title} hits={match.hits} /> <code>/{match.thing.id}</code>
          </span>
          <span class="muted small">{match.thing.description}</span>
        </li>
      ))}
      {matches.length === 0 && <li class="muted small none">{sayChat(skills.value === null ? "loadingChat" : "noSkill")}</li>}
    </ul>
  );
}

function Lit({ text, hits }: { text: string; hits: number[] }) {
  return <>{Array.from(text).map((letter, at) => (hits.includes(at) ? <b key={at}>{letter}</b> : letter))}</>;
}
