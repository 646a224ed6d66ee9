/** Where nodes and edges go: sizes from texts, places from a layered layout, which is fetched when first needed. */

/** How a node stands; it has a colour and an icon of its own. */
export type NodeState = "plain" | "waiting" | "running" | "done" | "failed" | "skipped" | "asking";

/** A node of a graph. */
export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly state?: NodeState;
}

/** An edge of a graph; a dashed one is a side way. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  readonly dashed?: boolean;
}

/** A node with its place: the middle and the size. */
export interface Placed extends GraphNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An edge with the points it runs through. */
export interface Routed extends GraphEdge {
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A graph that can be drawn. */
export interface Layout {
  readonly nodes: readonly Placed[];
  readonly edges: readonly Routed[];
  readonly width: number;
  readonly height: number;
}

/** What the layout is asked for: sized nodes, and edges between nodes that are there, each once. */
export interface LayoutInput {
  readonly nodes: readonly (GraphNode & { readonly width: number; readonly height: number })[];
  readonly edges: readonly GraphEdge[];
}

const LETTER = 7.4;
const WIDEST = 240;

/** Sizes from texts; edges to nowhere, to themselves and twice are left out. */
export function layoutInput(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): LayoutInput {
  const once = [...new Map(nodes.map((node) => [node.id, node])).values()];
  const ids = new Set(once.map((node) => node.id));
  const kept = new Map<string, GraphEdge>();
  for (const edge of edges) {
    if (edge.from === edge.to || !ids.has(edge.from) || !ids.has(edge.to)) continue;
    const key = `${edge.from}\u0000${edge.to}`;
    if (!kept.has(key)) kept.set(key, edge);
  }
  const sized = once.map((node) => ({ ...node, width: widthOf(node), height: node.detail ? 48 : 34 }));
  return { nodes: sized, edges: [...kept.values()] };
}

/** Lay out in layers, from the top down or from left to right. */
export async function layOut(input: LayoutInput, direction: "TB" | "LR"): Promise<Layout> {
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph = new Graph();
  graph.setGraph({ rankdir: direction, nodesep: 28, ranksep: 44, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of input.nodes) graph.setNode(id, { width, height });
  for (const edge of input.edges)
    graph.setEdge(edge.from, edge.to, { width: edge.label ? textWidth(edge.label) : 0, height: edge.label ? 14 : 0, labelpos: "c" });
  layout(graph);
  const nodes = input.nodes.map((node) => {
    const { x, y } = graph.node(node.id) as { x: number; y: number };
    return { ...node, x, y };
  });
  const edges = input.edges.map((edge) => {
    const { points } = graph.edge(edge.from, edge.to) as { points: { x: number; y: number }[] };
    return { ...edge, points: points.map(({ x, y }) => ({ x, y })) };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { nodes, edges, width: Math.max(1, width), height: Math.max(1, height) };
}

/** The nearest node in a direction, for the arrow keys; null when there is none. */
export function neighbour(nodes: readonly Placed[], from: string, dx: number, dy: number): string | null {
  const here = nodes.find((node) => node.id === from);
  if (!here) return nodes[0]?.id ?? null;
  let best: { id: string; far: number } | null = null;
  for (const node of nodes) {
    const [ax, ay] = [node.x - here.x, node.y - here.y];
    const along = ax * dx + ay * dy;
    if (node.id === from || along <= 1) continue;
    const far = along + 2.5 * Math.abs(ax * dy + ay * dx);
    if (!best || far < best.far) best = { id: node.id, far };
  }
  return best?.id ?? null;
}

/** A smooth path through the points of an edge. */
export function pathOf(points: Routed["points"]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1).map((point, at) => {
    const next = rest[at + 1] ?? last;
    return `Q${round(point.x)} ${round(point.y)} ${round((point.x + next.x) / 2)} ${round((point.y + next.y) / 2)}`;
  });
  return `M${round(first.x)} ${round(first.y)} ${bends.join(" ")} L${round(last.x)} ${round(last.y)}`;
}

/** A text that fits into a width; what is cut is shown by a sign. */
export function fitted(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  for (const letter of text) {
    if (textWidth(`${kept}${letter}…`) > width) break;
    kept += letter;
  }
  return `${kept}…`;
}

function widthOf(node: GraphNode): number {
  const text = Math.max(textWidth(node.label), textWidth(node.detail ?? "") * 0.86);
  return Math.min(WIDEST, Math.max(84, text + 46));
}

/** Chinese letters are twice as wide as Latin ones. */
function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += /[\u2e80-\uffef]/.test(letter) ? LETTER * 1.8 : LETTER;
  return width;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
