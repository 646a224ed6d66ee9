import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { language } from "../../app/language";
import { dark } from "../../app/theme";
import { pictureWords as say } from "../../words/pictures";
import type { Engine } from "./engine";
import { optionOf } from "./options";
import { heat } from "./series";
import type { ChartKind, ChartSpec } from "./spec";
import { lookAt, type Look } from "./theme";

/** A drawing and the looks it was made with; empty until the library is there. */
export interface Drawn {
  now: Engine | null;
  look: Look;
}

/** What is drawn, and where the drawing is handed to whoever saves it. */
export interface PictureProps {
  readonly spec: ChartSpec;
  readonly kind: ChartKind;
  readonly hidden: ReadonlySet<string>;
  readonly decal: boolean;
  readonly engine: Drawn;
}

const HEIGHT = 300;
const NARROW = 480;

/** The drawing itself: the library is fetched when the first chart is seen. */
export function Picture({ spec, kind, hidden, decal, engine }: PictureProps) {
  const stage = useRef<HTMLDivElement>(null);
  const state = useSignal<"drawing" | "drawn" | "failed">("drawing");
  const why = useSignal("");
  const [tongue, isDark] = [language.value, dark.value];

  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    let closed = false;
    state.value = "drawing";
    import("./engine")
      .then(({ openEngine }) => {
        if (closed) return;
        engine.now = openEngine(element, tongue);
        state.value = "drawn";
      })
      .catch((thrown: unknown) => {
        why.value = thrown instanceof Error ? thrown.message : String(thrown);
        state.value = "failed";
      });
    const sized = new ResizeObserver(() => engine.now?.fit());
    sized.observe(element);
    return () => {
      closed = true;
      sized.disconnect();
      engine.now?.close();
      engine.now = null;
    };
  }, [tongue]);

  useEffect(() => {
    const element = stage.current;
    if (state.value !== "drawn" || !element || !engine.now) return;
    const look = lookAt(element);
    engine.look = look;
    const narrow = element.clientWidth < NARROW;
    const option = optionOf(spec, kind, { look, hidden, still: isStill(), decal, narrow });
    if (option) engine.now.draw(option);
    engine.now.fit();
  }, [state.value, spec, kind, hidden, decal, tongue, isDark]);

  const isMap = kind === "heatmap" && heat(spec).isMap;
  return (
    <div class="chart-frame">
      <div
        ref={stage}
        class={isMap ? "chart-stage chart-map" : "chart-stage"}
        style={{ height: isMap ? "" : `${heightOf(spec, kind)}px` }}
      />
      {state.value === "drawing" && <p class="chart-note chart-over">{say("drawing")}</p>}
      {state.value === "failed" && <p class="chart-note chart-over">{say("cannotDraw", { why: why.value })}</p>}
    </div>
  );
}

/** A heatmap grows with its rows, so that cells stay readable; a map has a shape of its own. */
function heightOf(spec: ChartSpec, kind: ChartKind): number {
  return kind === "heatmap" ? Math.min(560, Math.max(200, 64 + heat(spec).up.length * 24)) : HEIGHT;
}

function isStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
