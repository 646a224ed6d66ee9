/** Give a text that its box cuts off a tooltip with all of it, wherever the page has such a box. */
export function watchCutTexts(root: Document = document): () => void {
  const look = (event: Event): void => {
    if (event.target instanceof Element) for (let one: Element | null = event.target; one; one = one.parentElement) tellWhole(one);
  };
  root.addEventListener("pointerover", look, { passive: true });
  root.addEventListener("focusin", look);
  return () => {
    root.removeEventListener("pointerover", look);
    root.removeEventListener("focusin", look);
  };
}

const OWN = "data-cut";

function tellWhole(element: Element): void {
  if (!(element instanceof HTMLElement) || (element.title && !element.hasAttribute(OWN))) return;
  if (isCut(element)) {
    element.title = element.textContent?.trim() ?? "";
    element.setAttribute(OWN, "");
  } else if (element.hasAttribute(OWN)) {
    element.removeAttribute("title");
    element.removeAttribute(OWN);
  }
}

/** Whether a box ends its text with dots, on one line or after some. */
function isCut(element: HTMLElement): boolean {
  const wide = element.scrollWidth > element.clientWidth;
  const high = element.scrollHeight > element.clientHeight + 1;
  if (!wide && !high) return false;
  const style = getComputedStyle(element);
  const clamp = style.getPropertyValue("-webkit-line-clamp");
  return (wide && style.getPropertyValue("text-overflow") === "ellipsis") || (high && clamp !== "" && clamp !== "none");
}
