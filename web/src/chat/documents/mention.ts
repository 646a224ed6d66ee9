import { attached } from "../attachments";
import { conversation } from "../session";
import { nameOf } from "./viewing";

const WRITTEN = "documents/";

/** Names of the conversation's documents that have these letters. */
export function documentNames(word: string): string[] {
  const all = [...attached.value.map((one) => one.name), ...writtenPaths().map(nameOf)];
  return [...new Set(all)].filter((name) => name.toLowerCase().includes(word.toLowerCase()));
}

/** Paths of the documents that tools wrote in this conversation, the newest last. */
export function writtenPaths(): string[] {
  const items = (conversation.value?.turns ?? []).flatMap((turn) => turn.items);
  const paths = items.map((item) => (item.type === "media" && item.kind === "file" ? String(item.data["path"] ?? "") : ""));
  return [...new Set(paths.filter((path) => path.startsWith(WRITTEN)))];
}

/** Where a document stands before and after writes: the attached file and the written copy of the same name. */
export function versionsOf(path: string): { original: string | null; written: string | null } {
  const name = nameOf(path);
  if (path.startsWith(WRITTEN)) return { original: null, written: path };
  return { original: path, written: writtenPaths().find((one) => nameOf(one) === name) ?? null };
}

/** How a message names a place of a document. */
export function mentionOf(name: string, address = ""): string {
  return `@${name}${address ? `#${address}` : ""} `;
}
