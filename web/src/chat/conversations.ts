import { signal } from "@preact/signals";
import { call, get, send } from "../app/api";
import type { ConversationInfo, ConversationPage } from "../generated/api";
import { problemText } from "../app/problem";
import { saveAs } from "../parts/copy";

/** A conversation in the list. */
export type Listed = Pick<ConversationInfo, "id" | "title" | "skill" | "model" | "updated_at"> & Partial<Pick<ConversationInfo, "pinned" | "branch_of">>;

/** The conversations in the list, the last used first. */
export const listed = signal<Listed[] | null>(null);
/** The pinned conversations, the last pinned first. */
export const pinned = signal<Listed[]>([]);
/** Where the next page of the list begins, if there is one. */
export const following = signal<string | null>(null);
/** What the list is searched for. */
export const wanted = signal("");
/** Why there is no list. */
export const listProblem = signal("");

let asked = 0;
let soon = 0;

/** Read the list anew; the last answer counts. */
export async function refresh(): Promise<void> {
  const mine = ++asked;
  try {
    const page = await pageAfter(null);
    if (mine !== asked) return;
    listed.value = page.conversations;
    pinned.value = page.pinned;
    following.value = page.next;
    listProblem.value = "";
  } catch (thrown) {
    if (mine === asked) listProblem.value = problemText(thrown);
  }
}

/** Read the next page of the list. */
export async function more(): Promise<void> {
  const mine = asked;
  try {
    const page = await pageAfter(following.value);
    if (mine !== asked) return;
    listed.value = [...(listed.value ?? []), ...page.conversations];
    following.value = page.next;
  } catch (thrown) {
    listProblem.value = problemText(thrown);
  }
}

/** Read the list anew shortly, however often it is said. */
export function refreshSoon(): void {
  clearTimeout(soon);
  soon = window.setTimeout(() => void refresh(), 150);
}

/** Search the list. */
export function search(words: string): void {
  wanted.value = words;
  refreshSoon();
}

/** Give a conversation another title. */
export async function rename(id: string, title: string): Promise<void> {
  await call("PATCH", address(id), { body: { title } });
  const renamed = (one: Listed): Listed => (one.id === id ? { ...one, title } : one);
  listed.value = listed.value?.map(renamed) ?? null;
  pinned.value = pinned.value.map(renamed);
}

/** Keep a conversation at the top of the list, or no more. */
export async function pin(id: string, kept: boolean): Promise<void> {
  await call("PATCH", address(id), { body: { pinned: kept } });
  await refresh();
}

/** Begin a new conversation with all that came before a turn; its id. */
export async function branch(id: string, turn: string): Promise<string> {
  const made = await call<ConversationInfo>("POST", `${address(id)}/branch`, { body: { turn } });
  refreshSoon();
  return made.id;
}

/** Delete a conversation and all that belongs to it. */
export async function remove(id: string): Promise<void> {
  await call("DELETE", address(id));
  listed.value = listed.value?.filter((one) => one.id !== id) ?? null;
  pinned.value = pinned.value.filter((one) => one.id !== id);
}

/** Leave the skill that a conversation works with. */
export async function leaveSkill(id: string): Promise<void> {
  await call("PATCH", address(id), { body: { skill: null } });
}

/** The model that a conversation was switched to; null leaves the choice to the server. */
export async function readModel(id: string): Promise<string | null> {
  const known = listed.value?.find((one) => one.id === id);
  return known ? known.model : (await get<ConversationInfo>(address(id))).model;
}

/** Switch a conversation to another model; null leaves the choice to the server again. */
export async function switchModel(id: string, model: string | null): Promise<void> {
  await call("PATCH", address(id), { body: { model } });
  listed.value = listed.value?.map((one) => (one.id === id ? { ...one, model } : one)) ?? null;
}

/** Formats a conversation can be saved in: documents to read, JSON for programs, ZIP with everything. */
export type ExportFormat = "pdf" | "docx" | "html" | "md" | "json" | "zip";

/** Save a conversation, or one turn of it, as a file. */
export async function exportAs(id: string, title: string, format: ExportFormat, turn?: string): Promise<void> {
  const response = await send("GET", `${address(id)}/export?format=${format}${turn ? `&turn=${encodeURIComponent(turn)}` : ""}`);
  saveAs(`${title || "metier"}.${format}`, await response.blob());
}

function address(id: string): string {
  return `/api/conversations/${encodeURIComponent(id)}`;
}

async function pageAfter(before: string | null): Promise<{ conversations: Listed[]; pinned: Listed[]; next: string | null }> {
  const query = new URLSearchParams({ limit: "40" });
  if (before) query.set("before", before);
  if (wanted.value.trim()) query.set("q", wanted.value.trim());
  const page = await get<ConversationPage>(`/api/conversations?${query}`);
  return { conversations: page.conversations, pinned: page.pinned ?? [], next: page.next ?? null };
}
