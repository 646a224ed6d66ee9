import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Conversation, Turn } from "../events/state";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { busy, sending } from "./session";
import { Suggestions } from "./suggestions";
import { TurnView } from "./turn-view";

const NEAR_PX = 80;

/** The conversation as a log: follows the newest line while the reader is there, and never moves them otherwise. */
export function Thread({ state }: { state: Conversation }) {
  const box = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);
  const waiting = sending.value;
  const toEnd = (): void => {
    const end = box.current;
    if (end) end.scrollTop = end.scrollHeight;
  };
  useLayoutEffect(() => {
    if (stuck.current) toEnd();
  }, [state, waiting]);
  useLayoutEffect(() => {
    stuck.current = true;
    toEnd();
  }, [state.id, waiting?.key]);
  useEffect(() => {
    const inner = box.current?.firstElementChild;
    if (!inner || typeof ResizeObserver === "undefined") return;
    const grown = new ResizeObserver(() => stuck.current && toEnd());
    grown.observe(inner);
    return () => grown.disconnect();
  }, []);
  const scrolled = (): void => {
    const end = box.current;
    if (!end) return;
    stuck.current = end.scrollHeight - end.scrollTop - end.clientHeight < NEAR_PX;
    setAway(!stuck.current);
  };
  const last = state.turns.at(-1);
  return (
    <div class="thread-frame">
      <div class="thread" ref={box} onScroll={scrolled} role="log" aria-label={sayChat("messages")} aria-busy={busy.value} tabIndex={0}>
        <div class="thread-inner">
          {state.turns.map((turn, at) => (
            <Slot key={turn.key} turn={turn} isLast={at === state.turns.length - 1 && !waiting} />
          ))}
          {waiting && <Waiting text={waiting.text} />}
          {last && !waiting && last.state !== "running" && <Suggestions turn={last} />}
        </div>
      </div>
      {away && (
        <button class="button to-end" onClick={toEnd}>
          <Icon name="down" size={16} /> {sayChat("toEnd")}
        </button>
      )}
    </div>
  );
}

/** A turn that did not change is not looked at again: while one is written, the others stand. */
function Slot({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  return useMemo(() => <TurnView turn={turn} isLast={isLast} />, [turn, isLast]);
}

function Waiting({ text }: { text: string }) {
  return (
    <article class="turn">
      <div class="said">{text}</div>
      <p class="thinking" role="status">
        <span class="spinner" aria-hidden="true" /> {sayChat("sent")}
      </p>
    </article>
  );
}
