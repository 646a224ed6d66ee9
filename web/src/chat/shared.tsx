import { useEffect, useState } from "preact/hooks";
import { get } from "../app/api";
import { shownTime } from "../app/language";
import { replay } from "../events/reducer";
import type { Conversation, Item, Turn } from "../events/state";
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

/** Nobody can answer here, and nothing runs: an open question is told with its options, a turn that ran is as far as it was. */
function closed(state: Conversation): Conversation {
  const turns = state.turns.map((turn) => ({
    ...turn,
    state: turn.state === "running" ? ("interrupted" as const) : turn.state,
    items: turn.items.flatMap((item) => (item.type === "pause" && item.open ? [told(item, turn)] : [item])),
  }));
  return { ...state, turns };
}

/** An open question as a text: its words, the options, and that it waits for its owner. */
function told(item: Extract<Item, { type: "pause" }>, turn: Turn): Item {
  const { pause, key } = item;
  const repeated = turn.items.some((one) => one.type === "text" && one.text === pause.text);
  const options = pause.choices.map((one) => `- ${one.text}`).join("\n");
  return { type: "text", key, text: [repeated ? "" : pause.text, options, `*${sayShare("waits")}*`].filter(Boolean).join("\n\n"), done: true };
}

function addressOf(token: string): string {
  return `/api/shared/${encodeURIComponent(token)}`;
}
