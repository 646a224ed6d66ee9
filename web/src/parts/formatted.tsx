import { later } from "../app/later";
import type { MarkdownProps } from "./markdown";

/** Markdown, whose reader is a chunk of its own: it comes with the first answer, and until then the words stand as they are. */
export const Formatted = later<MarkdownProps>(
  () => loadMarkdown().then((room) => room.Markdown),
  ({ text }) => <div class="markdown plain">{text}</div>,
);

/** Load the reader of Markdown before it is needed. */
export function loadMarkdown(): Promise<typeof import("./markdown")> {
  return import("./markdown");
}
