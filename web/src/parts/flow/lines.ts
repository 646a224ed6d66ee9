/** Lines through a node's points, scaled into a box. */

/** The path of a thumbnail or plot; empty with fewer than two points. */
export function lineOf(points: readonly number[], width: number, height: number, margin = 3): string {
  if (points.length < 2) return "";
  const low = Math.min(...points);
  const span = Math.max(...points) - low || 1;
  return points
    .map((value, at) => {
      const x = margin + (at / (points.length - 1)) * (width - 2 * margin);
      const y = height - margin - ((value - low) / span) * (height - 2 * margin);
      return `${at ? "L" : "M"}${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    })
    .join("");
}
