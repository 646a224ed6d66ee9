import { signal } from "@preact/signals";
import { call, get } from "../app/api";
import { list, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";

/** What a reader may think of an answer. */
export type Verdict = "up" | "down";

/** Why an answer is bad, as the server knows it. */
export const REASONS = ["wrong_skill", "wrong_result", "incomplete", "slow", "other"] as const;

/** The reader's ratings by turn. */
export const ratings = signal<ReadonlyMap<string, Verdict>>(new Map());
/** The turn whose thumbs down asks for a reason. */
export const asksReason = signal<string | null>(null);

let shown: string | null = null;

/** Read the reader's ratings in a conversation. */
export async function loadRatings(conversation: string | null): Promise<void> {
  if (shown === conversation) return;
  shown = conversation;
  ratings.value = new Map();
  if (conversation === null) return;
  try {
    const found = await get<JsonObject>(`/api/conversations/${encodeURIComponent(conversation)}/feedback`);
    if (shown !== conversation) return;
    ratings.value = new Map(list(found["feedback"]).map(object).map((one) => [text(one["turn"]), one["verdict"] === "up" ? "up" : "down"]));
  } catch {
    // without them every answer looks unrated
  }
}

/** Rate an answer; the same thumb again takes the rating back. Thumbs down asks for a reason afterwards. */
export async function rate(turn: string, verdict: Verdict): Promise<void> {
  const before = ratings.value;
  const taken = before.get(turn) === verdict;
  ratings.value = taken ? new Map([...before].filter(([one]) => one !== turn)) : new Map([...before, [turn, verdict]]);
  if (!taken && verdict === "down") asksReason.value = turn;
  try {
    if (taken) await call("DELETE", address(turn));
    else await call("PUT", address(turn), { body: { verdict } });
  } catch (thrown) {
    ratings.value = before;
    asksReason.value = null;
    throw thrown;
  }
}

/** Say why an answer is bad. */
export async function giveReason(turn: string, reason: (typeof REASONS)[number], note: string): Promise<void> {
  await call("PUT", address(turn), { body: { verdict: "down", reason, note } });
}

function address(turn: string): string {
  return `/api/turns/${encodeURIComponent(turn)}/feedback`;
}
