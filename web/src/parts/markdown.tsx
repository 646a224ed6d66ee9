import { useEffect, useMemo, useRef } from "preact/hooks";
import { sayChat } from "../words/chat";
import { copyText } from "./copy";
import { blockHtml, readBlocks, type Block, type Reading } from "./markdown-render";

/** Props of `Markdown`: `done` once nothing more is coming; `onCite` hears of a citation that was pressed. */
export interface MarkdownProps {
  text: string;
  done?: boolean;
  onCite?: (cite: string) => void;
}

/** Markdown as safe HTML; while text arrives only its last block is drawn again. */
export function Markdown({ text, done = true, onCite }: MarkdownProps) {
  const before = useRef<Reading | null>(null);
  const { blocks } = useMemo(() => (before.current = readBlocks(text, done ? null : before.current)), [text, done]);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done && root.current) addCopyButtons(root.current);
  }, [done, text]);
  const pressed = (event: Event): void => {
    const cite = (event.target as Element).closest?.("[data-cite]");
    if (!cite) return;
    event.preventDefault();
    onCite?.(cite.getAttribute("data-cite") ?? "");
  };
  return (
    <div class={`markdown${done ? "" : " writing"}`} ref={root} onClick={pressed}>
      {blocks.map((block, at) => (
        <Piece key={at} block={block} />
      ))}
    </div>
  );
}

function Piece({ block }: { block: Block }) {
  const html = useMemo(() => blockHtml(block), [block.raw]);
  return <div class="block" dangerouslySetInnerHTML={{ __html: html }} />;
}

function addCopyButtons(root: HTMLElement): void {
  for (const pre of root.querySelectorAll("pre")) {
    if (pre.parentElement?.querySelector(".copy-code")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-code";
    button.textContent = sayChat("copy");
    button.onclick = () => void copyText(pre.textContent ?? "").then((done) => done && (button.textContent = sayChat("copied")));
    pre.before(button);
  }
}
