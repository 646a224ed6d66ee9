import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { pictureWords as say } from "../../words/pictures";
import { Drawing } from "./drawing";
import { neighbour, type Layout } from "./layout";
import { panned, wholeView, zoomed, type View } from "./view";

/** What stands outside of the picture may ask of it. */
export interface StageHandle {
  zoom(by: number): void;
  svg(): SVGSVGElement | null;
}

/** What the stage shows, and where it leaves its handle. */
export interface StageProps {
  readonly title: string;
  readonly layout: Layout;
  readonly height: number;
  readonly handle: RefObject<StageHandle | null>;
  readonly onPick?: (id: string) => void;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const ZOOMS: Readonly<Record<string, number>> = { "+": 0.8, "=": 0.8, "-": 1.25, "0": 0 };

/** The picture: drag to pan, the wheel with Ctrl or the keys to zoom, the arrow keys from node to node. */
export function Stage({ title, layout, height, handle, onPick }: StageProps) {
  const svg = useRef<SVGSVGElement>(null);
  const view = useSignal<View>({ x: 0, y: 0, width: layout.width, height: layout.height });
  const at = useSignal(layout.nodes[0]?.id ?? "");
  const drag = useDrag((dx, dy) => (view.value = panned(view.value, dx, dy)));
  const whole = (): View => wholeView(layout, { width: svg.current?.clientWidth || layout.width, height });
  const zoom = (by: number, point?: { x: number; y: number }): void => {
    view.value = by === 0 ? whole() : zoomed(view.value, by, whole(), point);
  };
  useEffect(() => {
    handle.current = { zoom, svg: () => svg.current };
    view.value = whole();
    const sized = new ResizeObserver(() => (view.value = whole()));
    if (svg.current) sized.observe(svg.current);
    return () => sized.disconnect();
  }, [layout, height]);

  const onKeyDown = (key: KeyboardEvent): void => {
    const [arrow, by] = [ARROWS[key.key], ZOOMS[key.key]];
    if (arrow) {
      const next = neighbour(layout.nodes, at.value, ...arrow);
      if (next !== null) focusNode(svg.current, next);
    } else if (by !== undefined && !key.ctrlKey && !key.metaKey) zoom(by);
    else if (key.key === "Enter" || key.key === " ") onPick?.(at.value);
    else return;
    key.preventDefault();
  };
  const onWheel = (wheel: WheelEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (!box || !(wheel.ctrlKey || wheel.metaKey)) return;
    wheel.preventDefault();
    zoom(wheel.deltaY > 0 ? 1.1 : 0.9, { x: (wheel.clientX - box.x) / box.width, y: (wheel.clientY - box.y) / box.height });
  };
  const { x, y, width, height: tall } = view.value;
  return (
    <svg
      ref={svg}
      class="graph-stage"
      style={{ height: `${height}px` }}
      viewBox={`${x} ${y} ${width} ${tall}`}
      role="group"
      aria-label={`${title}. ${say("graphHelp")}`}
      onKeyDown={onKeyDown}
      {...drag}
      onWheel={onWheel}
    >
      <Drawing layout={layout} at={at.value} stateWord={say} onPick={onPick} onFocus={(id) => (at.value = id)} />
    </svg>
  );
}

/** Handlers that tell how far a held pointer moved, as parts of what it moves over. */
function useDrag(moved: (dx: number, dy: number) => void) {
  const held = useRef<{ x: number; y: number } | null>(null);
  const release = (): void => {
    held.current = null;
  };
  return {
    onPointerDown: (down: PointerEvent): void => {
      held.current = { x: down.clientX, y: down.clientY };
    },
    onPointerMove: (move: PointerEvent): void => {
      const [from, box] = [held.current, (move.currentTarget as Element).getBoundingClientRect()];
      if (!from) return;
      moved((move.clientX - from.x) / box.width, (move.clientY - from.y) / box.height);
      held.current = { x: move.clientX, y: move.clientY };
    },
    onPointerUp: release,
    onPointerLeave: release,
  };
}

function focusNode(svg: SVGSVGElement | null, id: string): void {
  svg?.querySelector<SVGGElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();
}
