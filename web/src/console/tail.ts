import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { follow } from "../app/stream";
import type { StoredEvent } from "../generated/api";

/** The events of a turn, and whether new ones are being followed. */
export interface Tail {
  readonly events: readonly StoredEvent[];
  readonly live: boolean;
  readonly open: boolean;
}

const OVER: ReadonlySet<string> = new Set(["turn.done", "turn.failed"]);

/** The stored events of a turn, and those that come while it runs or waits; a turn that is over is not followed. */
export function useTail(conversation: string, turn: string, stored: readonly StoredEvent[], state: string): Tail {
  const more = useSignal<readonly StoredEvent[]>([]);
  const open = useSignal(false);
  const live = conversation !== "" && (state === "running" || state === "paused");
  useEffect(() => {
    more.value = [];
    if (!live) return;
    const given = new AbortController();
    let last = stored.at(-1)?.seq ?? 0;
    follow({
      path: `/api/conversations/${encodeURIComponent(conversation)}/events`,
      after: () => last,
      onEvent: (event) => {
        last = Math.max(last, event.seq);
        if (event.turn === turn) more.value = [...more.value, event];
        if (event.turn === turn && OVER.has(event.kind)) given.abort();
      },
      onLink: (link) => (open.value = link === "open"),
      signal: given.signal,
    }).catch(() => (open.value = false));
    return () => given.abort();
  }, [conversation, turn, stored, live]);
  const events = more.value.length ? [...stored, ...more.value] : stored;
  return { events, live: live && !events.some((event) => OVER.has(event.kind)), open: open.value };
}
