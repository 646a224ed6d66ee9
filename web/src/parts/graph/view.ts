/** What part of a graph is seen. */

/** The seen part, in the graph's own measure. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const CLOSEST = 4;

/** All of it, never larger than life: a small graph stays small, in the middle. */
export function wholeView(graph: { width: number; height: number }, stage: { width: number; height: number }): View {
  const scale = Math.max(graph.width / Math.max(1, stage.width), graph.height / Math.max(1, stage.height), 1);
  const [width, height] = [stage.width * scale, stage.height * scale];
  return { x: (graph.width - width) / 2, y: (graph.height - height) / 2, width, height };
}

/** Closer (below 1) or farther (above 1), around a point given as parts of the view. */
export function zoomed(view: View, by: number, whole: View, at = { x: 0.5, y: 0.5 }): View {
  const width = Math.min(whole.width * 2, Math.max(whole.width / CLOSEST, view.width * by));
  const real = width / view.width;
  const height = view.height * real;
  return { x: view.x + (view.width - width) * at.x, y: view.y + (view.height - height) * at.y, width, height };
}

/** Moved by parts of the view. */
export function panned(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x - dx * view.width, y: view.y - dy * view.height };
}
