import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";

import "../styles/pictures.css";
import { pictureWords as say } from "../words/pictures";
import { fileName, saveFile } from "./chart/download";
import { standalone } from "./graph/export";
import { layoutInput, layOut, type GraphEdge, type GraphNode, type Layout } from "./graph/layout";
import { GraphList } from "./graph/list";
import { Stage, type StageHandle } from "./graph/stage";

/** What a graph is made of. */
export type { GraphEdge, GraphNode, NodeState } from "./graph/layout";

/** A graph: its nodes and edges, a title, and what happens when a node is picked. */
export interface GraphProps {
  readonly title: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly direction?: "TB" | "LR" | "auto";
  readonly height?: number;
  readonly onPick?: (id: string) => void;
}

/** A graph with pan, zoom, a list twin and a download. */
export function Graph({ title, nodes, edges, direction = "auto", height = 320, onPick }: GraphProps) {
  const layout = useSignal<Layout | null>(null);
  const problem = useSignal("");
  const asList = useSignal(false);
  const stage = useRef<StageHandle | null>(null);
  const input = useMemo(() => layoutInput(nodes, edges), [nodes, edges]);
  useEffect(() => {
    let stale = false;
    layOut(input, direction === "auto" ? (isNarrow() ? "TB" : "LR") : direction)
      .then((made) => !stale && (layout.value = made))
      .catch((thrown: unknown) => (problem.value = String(thrown)));
    return () => {
      stale = true;
    };
  }, [input, direction]);
  const save = (): void => {
    const [svg, made] = [stage.current?.svg(), layout.value];
    if (svg && made) saveFile(fileName(title, "svg"), new Blob([standalone(svg, made.width, made.height)], { type: "image/svg+xml" }));
  };
  const listed = asList.value || problem.value !== "";
  return (
    <figure class="graph">
      <figcaption class="chart-head">
        <span class="chart-title">{title}</span>
        <span class="chart-tools">
          {!listed && <ZoomButtons zoom={(by) => stage.current?.zoom(by)} />}
          <button type="button" class="chart-button" aria-pressed={listed} onClick={() => (asList.value = !asList.value)}>
            {say("asList")}
          </button>
          {!listed && (
            <button type="button" class="chart-button" title={`${say("save")} SVG`} onClick={save}>
              <span aria-hidden="true">↓ </span>SVG
            </button>
          )}
        </span>
      </figcaption>
      {problem.value && <p class="chart-note">{say("cannotDraw", { why: problem.value })}</p>}
      {listed && <GraphList nodes={input.nodes} edges={input.edges} />}
      {!listed && !layout.value && <p class="chart-note">{say("drawing")}</p>}
      {!listed && layout.value && (
        <Stage title={title} layout={layout.value} height={height} handle={stage} {...(onPick ? { onPick } : {})} />
      )}
    </figure>
  );
}

function isNarrow(): boolean {
  return matchMedia("(max-width: 640px)").matches;
}

function ZoomButtons({ zoom }: { readonly zoom: (by: number) => void }) {
  return (
    <>
      <button type="button" class="chart-button" aria-label={say("zoomIn")} title={say("zoomIn")} onClick={() => zoom(0.8)}>
        +
      </button>
      <button type="button" class="chart-button" aria-label={say("zoomOut")} title={say("zoomOut")} onClick={() => zoom(1.25)}>
        −
      </button>
      <button type="button" class="chart-button" onClick={() => zoom(0)}>
        {say("zoomFit")}
      </button>
    </>
  );
}
