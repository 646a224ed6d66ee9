import { useId } from "preact/hooks";

import { fitted, pathOf, type Layout, type NodeState, type Placed, type Routed } from "./layout";

const ICONS: Readonly<Record<NodeState, string>> = {
  plain: "",
  waiting: "○",
  running: "◐",
  done: "✓",
  failed: "✕",
  skipped: "–",
  asking: "?",
};

/** What the drawing needs: the layout, where the reader is, and what to do when a node is picked, if anything. */
export interface DrawingProps {
  readonly layout: Layout;
  readonly at: string;
  readonly stateWord: (state: NodeState) => string;
  readonly onPick: ((id: string) => void) | undefined;
  readonly onFocus: (id: string) => void;
}

/** Edges first, nodes above them; one node is in the tab order, the arrow keys reach the others. */
export function Drawing({ layout, at, stateWord, onPick, onFocus }: DrawingProps) {
  const arrow = useId();
  return (
    <>
      <defs>
        <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
          <path d="M0 0 L8 4 L0 8 z" class="graph-arrow" />
        </marker>
      </defs>
      {layout.edges.map((edge) => (
        <EdgeLine key={`${edge.from}→${edge.to}`} edge={edge} arrow={arrow} />
      ))}
      {layout.nodes.map((node) => (
        <g
          key={node.id}
          data-node={node.id}
          class={`graph-node graph-${node.state ?? "plain"}`}
          transform={`translate(${node.x - node.width / 2} ${node.y - node.height / 2})`}
          role={onPick ? "button" : "img"}
          tabIndex={node.id === at ? 0 : -1}
          aria-label={nameOf(node, stateWord(node.state ?? "plain"), onPick !== undefined)}
          onClick={() => onPick?.(node.id)}
          onFocus={() => onFocus(node.id)}
        >
          <title>{[node.label, node.detail].filter(Boolean).join("\n")}</title>
          <NodeBox node={node} />
        </g>
      ))}
    </>
  );
}

function EdgeLine({ edge, arrow }: { readonly edge: Routed; readonly arrow: string }) {
  const middle = edge.points[Math.floor(edge.points.length / 2)];
  return (
    <g class={edge.dashed ? "graph-edge graph-side" : "graph-edge"} aria-hidden="true">
      <path d={pathOf(edge.points)} marker-end={`url(#${arrow})`} />
      {edge.label && middle && (
        <text x={middle.x} y={middle.y} dy="0.35em" text-anchor="middle">
          {edge.label}
        </text>
      )}
    </g>
  );
}

/** A button is called what is seen on it, so that a voice can press it; a picture is called all that it stands for. */
function nameOf(node: Placed, state: string, isButton: boolean): string {
  const { label, detail } = isButton ? linesOf(node) : node;
  return [label, detail, state].filter(Boolean).join(", ");
}

function linesOf(node: Placed): { label: string; detail: string } {
  const room = node.width - leftOf(node) - 10;
  return { label: fitted(node.label, room), detail: node.detail ? fitted(node.detail, room / 0.86) : "" };
}

function leftOf(node: Placed): number {
  return ICONS[node.state ?? "plain"] ? 28 : 14;
}

function NodeBox({ node }: { readonly node: Placed }) {
  const icon = ICONS[node.state ?? "plain"];
  const left = leftOf(node);
  const { label, detail } = linesOf(node);
  const first = node.detail ? 19 : node.height / 2;
  return (
    <>
      <rect width={node.width} height={node.height} rx="6" />
      {icon && (
        <text class="graph-icon" x="15" y={node.height / 2} dy="0.35em" text-anchor="middle" aria-hidden="true">
          {icon}
        </text>
      )}
      <text x={left} y={first} dy="0.35em">
        {label}
      </text>
      {detail && (
        <text class="graph-detail" x={left} y={34} dy="0.35em">
          {detail}
        </text>
      )}
    </>
  );
}
