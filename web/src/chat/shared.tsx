import { useEffect, useState } from "preact/hooks";
import { get } from "../app/api";
import { shownTime } from "../app/language";
import { replay } from "../events/reducer";
import type { Conversation } from "../events/state";
import type { EventList, SharedConversation, StoredEvent } from "../generated/api";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { sayShare } from "../words/share";
import { CitationDialog } from "./citation";
import { conversation, filesAddress, readOnly } from "./session";
import { Thread } from "./thread";

const PAGE = 1000;

interface Shown {
  readonly about: SharedConversation;
  readonly state: Conversation;
}

/** A conversation behind a share link: the same thread, without a way to write, rate or go anywhere else. */
export function Shared({ token }: { token: string }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [gone, setGone] = useState(false);
  useEffect(() => {
    readOnly.value = true;
    filesAddress.value = `${addressOf(token)}/files`;
    read(token).then(
      (found) => {
        conversation.value = found.state;
        setShown(found);
      },
      () => setGone(true),
    );
  }, [token]);
  const title = shown?.about.title || sayChat("untitled");
  useEffect(() => {
    document.title = `${gone ? sayShare("sharedGone") : title} · Metier`;
  }, [title, gone]);
  if (gone) return <Gone />;
  return (
    <main id="main" class="shared">
      <header class="shared-head">
        <Icon name="mark" />
        <div>
          <h1>{title}</h1>
          {shown && <p class="muted small">{sayShare("sharedNote", { time: shownTime(shown.about.shared_at) })}</p>}
        </div>
      </header>
      {shown ? <Thread state={shown.state} /> : <p class="muted loading">{sayChat("loadingChat")}</p>}
      <CitationDialog />
    </main>
  );
}

function Gone() {
  return (
    <main id="main" class="shared">
      <div class="thread-empty" role="alert">
        <h1>{sayShare("sharedGone")}</h1>
        <p class="muted">{sayShare("sharedGoneText")}</p>
        <a class="button" href="/">
          {sayShare("openMetier")}
        </a>
      </div>
    </main>
  );
}

async function read(token: string): Promise<Shown> {
  const about = await get<SharedConversation>(addressOf(token));
  const events: StoredEvent[] = [];
  for (let after = 0; after < about.last_seq; after += PAGE) {
    const page = await get<EventList>(`${addressOf(token)}/events.json?after=${after}&limit=${PAGE}`);
    events.push(...page.events);
  }
  return { about, state: closed(replay("", events)) };
}

/** Nobody can answer here, and nothing runs: open questions are closed, a turn that ran is as far as it was. */
function closed(state: Conversation): Conversation {
  const turns = state.turns.map((turn) => ({
    ...turn,
    state: turn.state === "running" ? ("interrupted" as const) : turn.state,
    items: turn.items.map((item) => (item.type === "pause" && item.open ? { ...item, open: false, cancelled: true } : item)),
  }));
  return { ...state, turns };
}

function addressOf(token: string): string {
  return `/api/shared/${encodeURIComponent(token)}`;
}
