import { batch, computed, signal } from "@preact/signals";
import { ApiError, get, isAbort, post, send } from "../app/api";
import { problemText } from "../app/problem";
import { follow, readEvents, type Link } from "../app/stream";
import { Inbox } from "../events/inbox";
import { emptyConversation, runningTurn } from "../events/reducer";
import type { Conversation, Item } from "../events/state";
import type { EventList, Json, StoredEvent } from "../generated/api";
import { loadMarkdown } from "../parts/formatted";
import { announceChanges } from "./announcing";
import { noticeChanges } from "./waiting";

/** A message that was sent and of which nothing is heard yet. */
export interface Sending {
  text: string;
  skill: string | null;
  key: string;
  model?: string | null;
  /** Whether rows that wait for approval were left out or edited on the screen. */
  edited?: boolean;
}

/** Digest of nothing that the server asks about: it takes no yes in words for rows that look otherwise here. */
const EDITED = "rows edited on the page";

/** The conversation on the screen, as far as its events tell; null on the first page. */
export const conversation = signal<Conversation | null>(null);
/** Whether the stored events of the conversation are still coming. */
export const loading = signal(false);
/** How the line to the server stands. */
export const link = signal<Link>("closed");
/** What was sent and is not in the conversation yet. */
export const sending = signal<Sending | null>(null);
/** What went wrong with the last thing the reader did, in words. */
export const problem = signal("");
/** Whether the conversation of the address does not exist. */
export const lost = signal(false);
/** Whether the conversation is only shown: nothing can be written, answered or rated. */
export const readOnly = signal(false);
/** Where the files of the conversation are, when it is not the reader's own. */
export const filesAddress = signal<string | null>(null);
/** Whether an answer to a question is on its way. */
export const answering = signal<string | null>(null);
/** The question whose answer was not taken; `problem` says why. */
export const unanswered = signal<string | null>(null);

/** The turn that runs, if one does. */
export const running = computed(() => (conversation.value ? runningTurn(conversation.value) : null));
/** Whether something is under way, so that a new message has to wait. */
export const busy = computed(() => sending.value !== null || running.value !== null);
/** The questions that wait for the reader. */
export const openPauses = computed(() => (conversation.value?.turns ?? []).flatMap((turn) => turn.items).filter((item): item is Extract<Item, { type: "pause" }> => item.type === "pause" && item.open));

const BATCH_MS = 30;
const UNAVAILABLE = 503;
let inbox: Inbox | null = null;
let following: AbortController | null = null;
let held: StoredEvent[] = [];
let timer = 0;
let mending = false;

/** Show a conversation: what is stored first, then what happens. Null shows the first page. */
export async function open(id: string | null): Promise<void> {
  if (id === (conversation.value?.id ?? null) && !lost.value) return;
  unfollow();
  batch(() => {
    inbox = id ? new Inbox(emptyConversation(id)) : null;
    conversation.value = inbox?.state ?? null;
    sending.value = null;
    problem.value = "";
    lost.value = false;
    loading.value = id !== null;
  });
  if (!id) return;
  void loadMarkdown().catch(() => undefined); // beside the events, which need it; asked for again where it is shown
  try {
    await catchUp(id);
    if (conversation.value?.id === id) void followOn();
  } catch (thrown) {
    if (conversation.value?.id !== id) return;
    if (!(thrown instanceof ApiError) || thrown.status >= 500) return void followOn(); // it may be there; following tries again
    batch(() => {
      lost.value = true;
      problem.value = problemText(thrown);
    });
  } finally {
    if (conversation.value?.id === id) loading.value = false;
  }
}

/** What became of something that was sent: the server has it, it said no, or nobody knows whether it arrived. */
export type Taken = "taken" | "refused" | "unknown";

/** Send a message; without a conversation a new one begins. */
export function say(message: Sending): Promise<Taken> {
  const id = conversation.value?.id;
  void loadMarkdown().catch(() => undefined);
  sending.value = message;
  const shown = message.edited ? EDITED : openPauses.value.at(-1)?.pause.shown || undefined;
  const body = { shown, message: message.text, conversation_id: id, skill: message.skill ?? undefined, model: message.model ?? undefined, idempotency_key: message.key };
  return take("/api/chat", body, () => (sending.value = null));
}

/** Answer a question. True once the server has taken the answer. */
export async function answer(pause: string, value: Json): Promise<boolean> {
  answering.value = pause;
  const shown = openPauses.value.find((one) => one.pause.id === pause)?.pause.shown || undefined; // as this page shows it
  const taken = await take(`/api/pauses/${encodeURIComponent(pause)}`, { answer: value, shown, idempotency_key: `page:${pause}` }, () => (answering.value = null));
  unanswered.value = taken === "taken" ? null : pause;
  if (taken === "refused" && conversation.value) await catchUp(conversation.value.id).catch(() => undefined); // it may be another question by now
  return taken === "taken";
}

/** Stop the turn that runs; what came is kept. */
export async function stop(): Promise<void> {
  const id = conversation.value?.id;
  if (!id || !running.value) return;
  try {
    await post(`/api/conversations/${encodeURIComponent(id)}/stop`, {});
  } catch (thrown) {
    problem.value = problemText(thrown);
  }
}

/** Follow the open conversation from where it is known. */
export async function followOn(): Promise<void> {
  const id = conversation.value?.id;
  if (!id || following || document.hidden) return;
  const control = (following = new AbortController());
  const path = `/api/conversations/${encodeURIComponent(id)}/events`;
  try {
    await follow({ path, after: seen, onEvent: receive, onLink: (now) => following === control && (link.value = now), signal: control.signal });
  } catch (thrown) {
    if (following === control) problem.value = problemText(thrown);
  } finally {
    if (following === control) following = null;
  }
}

/** Stop following; what is known stays. */
export function unfollow(): void {
  following?.abort();
  following = null;
}

/** Post something whose answer is a stream. When the line breaks after the server has it, following shows the rest. */
async function take(path: string, body: unknown, settled: () => void): Promise<Taken> {
  problem.value = "";
  unanswered.value = null;
  unfollow();
  let accepted = false;
  let broken = false;
  let refused = false;
  try {
    const response = await send("POST", path, { body, headers: { Accept: "text/event-stream" } });
    accepted = true;
    link.value = "open";
    adopt(response.headers.get("X-Conversation-Id"));
    await readEvents(response, receive);
    flush();
  } catch (thrown) {
    broken = accepted;
    refused = !accepted && thrown instanceof ApiError && (thrown.status < 500 || thrown.status === UNAVAILABLE);
    if (!accepted && !isAbort(thrown)) problem.value = problemText(thrown);
  } finally {
    if (!broken) settled();
    if (conversation.value) void followOn();
  }
  return accepted ? "taken" : refused ? "refused" : "unknown";
}

/** A new conversation gets its name from the server. */
function adopt(id: string | null): void {
  if (!id || conversation.value) return;
  inbox = new Inbox(emptyConversation(id));
  conversation.value = inbox.state;
}

function seen(): number {
  flush();
  return inbox?.state.seq ?? 0;
}

function receive(event: StoredEvent): void {
  adopt(event.conversation);
  if (event.conversation !== conversation.value?.id) return;
  held.push(event);
  if (!timer) timer = window.setTimeout(flush, BATCH_MS);
}

function flush(): void {
  clearTimeout(timer);
  timer = 0;
  if (!inbox || held.length === 0) return;
  const mine = held.filter((event) => event.conversation === inbox?.state.id);
  held = [];
  const before = inbox.state;
  batch(() => {
    const now = inbox ? inbox.push(mine) : before;
    conversation.value = now;
    if (sending.value && now.turns.length > before.turns.length) sending.value = null;
    if (answering.value && !openPauses.value.some((one) => one.pause.id === answering.value)) answering.value = null;
  });
  announceChanges(before, inbox.state);
  noticeChanges(before, inbox.state);
  if (inbox.gap && !mending) void mend(inbox.state.id);
}

/** Something is missing in between: fetch it. */
async function mend(id: string): Promise<void> {
  mending = true;
  try {
    await catchUp(id);
  } catch {
    // the stream brings it when the line is back
  } finally {
    mending = false;
  }
}

async function catchUp(id: string): Promise<void> {
  for (;;) {
    const path = `/api/conversations/${encodeURIComponent(id)}/events.json?after=${inbox?.state.seq ?? 0}`;
    const { events, last_seq } = await get<EventList>(path);
    if (!inbox || inbox.state.id !== id) return;
    conversation.value = inbox.push(events);
    if (events.length === 0 || inbox.state.seq >= (last_seq ?? 0)) return;
  }
}

/** A tab that nobody looks at holds no line, unless a turn runs; a browser has only six of them. */
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void followOn();
  else if (!busy.value) unfollow();
});
