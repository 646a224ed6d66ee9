import { signal } from "@preact/signals";
import { conversation, filesAddress } from "../session";

/** A document that is looked at: its path in the conversation's folder and its name for people. */
export interface Viewed {
  readonly path: string;
  readonly name: string;
}

const SHOWN = /\.(docx|xlsx|pptx)$/i;

/** The document in the preview; null when it is closed. */
export const viewing = signal<Viewed | null>(null);

/** Whether a file can be looked at in the page; behind a share link it cannot. */
export function canView(path: string): boolean {
  return SHOWN.test(path) && filesAddress.value === null && Boolean(conversation.value);
}

/** Name of a file for people: without the folder and the number of an attached file. */
export function nameOf(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/^\d{3,9}-/, "");
}

/** The letters after an `@` at the end of the text; null when there is none. */
export function mentionWord(text: string): string | null {
  return /(?:^|\s)[@＠]([^\s@＠#]*)$/.exec(text)?.[1] ?? null;
}
