import { signal } from "@preact/signals";
import { conversation, filesAddress } from "../session";

/** A document that is looked at: its path in the conversation's folder and its name for people. */
export interface Viewed {
  readonly path: string;
  readonly name: string;
}

const SHOWN = /\.(docx|xlsx|pptx)$/i;
const WRITTEN = "documents/";

/** The document in the preview; null when it is closed. */
export const viewing = signal<Viewed | null>(null);

/** Whether a file can be looked at in the page; behind a share link it cannot. */
export function canView(path: string): boolean {
  return SHOWN.test(path) && filesAddress.value === null && Boolean(conversation.value);
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

/** Name of a file for people: without the folder and the number of an attached file. */
export function nameOf(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/^\d{3,9}-/, "");
}

/** How a message names a place of a document. */
export function mentionOf(name: string, address = ""): string {
  return `@${name}${address ? `#${address}` : ""} `;
}
