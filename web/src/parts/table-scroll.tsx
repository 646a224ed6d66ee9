import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { sayChat } from "../words/chat";
import { Icon } from "./icon";

/** Fewer pixels than this are no column. */
const NONE = 4;

/** A table in a box that scrolls; while columns lie beyond its right edge, a button says so and shows them. */
export function TableScroll({ label, look = "", children }: { label: string; look?: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [beyond, setBeyond] = useState(false);
  const measure = (): void => setBeyond(box.current !== null && beyondRight(box.current) > NONE);
  useEffect(() => {
    measure();
    if (!box.current || typeof ResizeObserver === "undefined") return;
    const sized = new ResizeObserver(measure);
    sized.observe(box.current);
    return () => sized.disconnect();
  });
  const forward = (): void => box.current?.scrollBy({ left: box.current.clientWidth / 2 });
  return (
    <div class={beyond ? "beyond" : ""}>
      <div class={`table-scroll ${look}`} tabIndex={0} role="group" aria-label={label} ref={box} onScroll={measure}>
        {children}
      </div>
      {beyond && (
        <button class="button quiet small more-columns" onClick={forward}>
          {sayChat("moreColumns")} <Icon name="right" size={13} />
        </button>
      )}
    </div>
  );
}

function beyondRight(box: HTMLElement): number {
  return box.scrollWidth - box.clientWidth - box.scrollLeft;
}
