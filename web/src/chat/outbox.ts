import { effect, signal } from "@preact/signals";
import { go } from "../app/router";
import { busy, conversation, openPauses, problem, say } from "./session";
import { pendingUploads } from "./attachments";
import { refreshSoon } from "./conversations";
import { chosenModel, keepChoice } from "./model-choice";
import { sayChat } from "../words/chat";

/** A message that waits for its turn. */
export interface Queued {
  text: string;
  skill: string | null;
  key: string;
}

/** What is in the field where one writes. */
export const draft = signal("");
/** Messages that were written while something was running. */
export const queue = signal<Queued[]>([]);
/** The skill the next message is for, when one was picked. */
export const picked = signal<{ id: string; title: string } | null>(null);
/** Calls that wait with rows left out or edited on the screen: a yes in words would approve what the server holds, not what is seen. */
export const changedRows = signal<ReadonlySet<string>>(new Set());
/** The message that may not have reached the server, to try again; `turns` is how many there were before it. */
export const unsent = signal<(Queued & { turns: number }) | null>(null);

/** Send what was written, or let it wait while something runs. */
export function submit(text: string, skill: string | null = picked.value?.id ?? null): void {
  const message = { text: text.trim(), skill, key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
  if (!message.text) return;
  picked.value = null;
  if (busy.value) queue.value = [...queue.value, message];
  else void deliver(message);
}

/** Note whether the rows of a waiting call differ on the screen from those that the server holds. */
export function noteRows(call: string, changed: boolean): void {
  if (changed === changedRows.value.has(call)) return;
  const others = [...changedRows.value].filter((one) => one !== call);
  changedRows.value = new Set(changed ? [...others, call] : others);
  if (changedRows.value.size === 0 && problem.value === sayChat("rowsChanged")) problem.value = "";
}

/** Take a waiting message back. */
export function unqueue(key: string): Queued | undefined {
  const found = queue.value.find((one) => one.key === key);
  queue.value = queue.value.filter((one) => one.key !== key);
  return found;
}

/** Send a waiting message now. */
export function sendNow(key: string): void {
  const found = unqueue(key);
  if (found && !busy.value) void deliver(found);
  else if (found) queue.value = [found, ...queue.value];
}

/** Send a message; one that may not have arrived can be sent again under the same key, and runs once. Refused words come back. */
export async function deliver(message: Queued): Promise<void> {
  unsent.value = null;
  const uploads = pendingUploads();
  if (uploads) await uploads;
  const turns = conversation.value?.turns.length ?? 0;
  const isNew = conversation.value === null;
  const watch = isNew ? effect(goToNew) : null;
  const edited = changedRows.value.size > 0; // the server then takes no yes in words, and answers everything else
  const taken = await say(isNew ? { ...message, model: chosenModel.value } : { ...message, edited });
  watch?.();
  refreshSoon();
  if (taken === "refused" && edited) problem.value = sayChat("rowsChanged");
  if (taken === "refused") return takeBack(message);
  if (taken === "unknown") unsent.value = { text: message.text, skill: message.skill, key: message.key, turns };
}

/** Put refused words back where they were written, before what was written since. */
function takeBack(message: Queued): void {
  draft.value = [message.text, draft.value].filter((one) => one.trim()).join("\n");
  const kept = picked.value;
  if (message.skill && !kept) picked.value = { id: message.skill, title: message.skill };
}

/** The new conversation gets its address as soon as it has a name. */
function goToNew(): void {
  if (!conversation.value) return;
  keepChoice(conversation.value.id);
  go(`/chat/${encodeURIComponent(conversation.value.id)}`);
  refreshSoon();
}

/** Forget what waits and what failed: another conversation is on the screen. */
export function clearOutbox(): void {
  queue.value = [];
  unsent.value = null;
  picked.value = null;
  problem.value = "";
}

/** A message of which we do not know whether it arrived is forgotten once it is there. */
effect(() => {
  const since = conversation.value?.turns.slice(unsent.value?.turns ?? 0) ?? [];
  if (unsent.value && since.some((turn) => turn.message === unsent.value?.text)) unsent.value = null;
});

effect(() => {
  const [next, ...rest] = queue.value;
  if (!next || busy.value || openPauses.value.length > 0 || unsent.value) return;
  queueMicrotask(() => {
    if (busy.value || queue.value[0] !== next) return;
    queue.value = rest;
    void deliver(next);
  });
});
