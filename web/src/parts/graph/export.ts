/** A drawn graph as a picture that stands alone. */

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "opacity"] as const;

/** The SVG with every colour and font written into it, since a file has no style sheet. */
export function standalone(svg: SVGSVGElement, width: number, height: number): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const theirs = copy.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((element, at) => {
    const looks = getComputedStyle(element);
    const made = theirs[at];
    if (!made) return;
    for (const name of KEPT) made.setAttribute(name, looks.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label", "aria-hidden", "data-node"]) made.removeAttribute(name);
  });
  for (const name of ["class", "style", "tabindex", "role", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("width", String(Math.ceil(width)));
  copy.setAttribute("height", String(Math.ceil(height)));
  return new XMLSerializer().serializeToString(copy);
}
