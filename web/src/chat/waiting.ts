import { computed, signal } from "@preact/signals";
import { get } from "../app/api";
import { notify } from "../app/notices";
import { approvalsWaiting } from "../app/shell";
import { workedMs } from "../events/elapsed";
import type { Conversation } from "../events/state";
import type { WaitingInfo } from "../generated/api";
import { sayChat } from "../words/chat";

const EVERY_MS = 20_000;
const LONG_MS = 10_000;

/** Open questions by conversation, and approvals of others. */
export const waiting = signal<WaitingInfo>({ conversations: {}, approvals: 0 });
/** How many things wait for the reader. */
export const waitingCount = computed(() => Object.values(waiting.value.conversations).reduce((all, one) => all + one, 0) + waiting.value.approvals);

let timer = 0;
let soon = 0;
/** Conversations that told by themselves that they wait: what is asked of the server says it once more. */
let told = new Set<string>();

/** Ask what waits; what cannot be asked stays as it was. */
export async function loadWaiting(): Promise<void> {
  try {
    const found = await get<WaitingInfo>("/api/waiting");
    const ids = Object.keys(found.conversations);
    const more = found.approvals > waiting.value.approvals || ids.some((id) => !(id in waiting.value.conversations) && !told.has(id));
    if (more && timer) notify(sayChat("needsYou"));
    told = new Set(ids.filter((id) => told.has(id)));
    waiting.value = found;
    approvalsWaiting.value = found.approvals;
  } catch {
    // the chat says by itself when the server cannot be reached
  }
}

/** Ask again and again while somebody looks; returns how to stop. */
export function watchWaiting(): () => void {
  void loadWaiting().then(() => {
    timer ||= window.setInterval(() => void loadWaiting(), EVERY_MS);
  });
  return () => {
    clearInterval(timer);
    timer = 0;
  };
}

/** Ask again shortly, however often it is said. */
export function askSoon(): void {
  clearTimeout(soon);
  soon = window.setTimeout(() => void loadWaiting(), 300);
}

/** The title of the page: how many things wait, then what is shown. */
export function titleWith(title: string): string {
  return waitingCount.value > 0 ? `(${waitingCount.value}) ${title}` : title;
}

/** After a turn asked or ended: what waits may be other things now, and a long turn is worth a notice. */
export function noticeChanges(before: Conversation, now: Conversation): void {
  const turn = now.turns.at(-1);
  const was = before.turns.find((one) => one.id === turn?.id)?.state;
  if (!turn || turn.state === was) return;
  if (was !== undefined || turn.state !== "running") askSoon();
  if (turn.state === "running" || (was ?? "running") !== "running") return;
  const tookMs = workedMs(turn) ?? 0;
  if (turn.state === "paused") {
    notify(sayChat("needsYou"), turn.message);
    told.add(now.id);
  } else if (tookMs >= LONG_MS) notify(sayChat(turn.state === "done" ? "answerDone" : "turnFailed"), turn.message);
}
