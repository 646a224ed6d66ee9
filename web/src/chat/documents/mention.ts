import { attached } from "../attachments";
import { nameOf, writtenPaths } from "./viewing";

const MENTION = /(?:^|\s)[@＠]([^\s@＠#]*)$/;

/** The letters after an `@` at the end of the text; null when there is none, or nothing to choose from. */
export function mentionWord(text: string): string | null {
  const word = MENTION.exec(text)?.[1] ?? null;
  return word !== null && documentNames(word).length > 0 ? word : null;
}

/** Names of the conversation's documents that have these letters. */
export function documentNames(word: string): string[] {
  const all = [...attached.value.map((one) => one.name), ...writtenPaths().map(nameOf)];
  return [...new Set(all)].filter((name) => name.toLowerCase().includes(word.toLowerCase()));
}
