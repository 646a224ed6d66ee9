import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { TableScroll } from "../../src/parts/table-scroll";

afterEach(() => vi.restoreAllMocks());

/** A box of 300 pixels around a table of so many. */
function shown(wide: number): HTMLElement {
  vi.spyOn(HTMLElement.prototype, "scrollWidth", "get").mockReturnValue(wide);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(300);
  const host = document.createElement("div");
  act(() => render(<TableScroll label="rows">cells</TableScroll>, host));
  return host;
}

test("columns beyond the right edge are told, until the table is scrolled to its end", () => {
  const host = shown(500);
  const box = host.querySelector(".table-scroll") as HTMLElement;
  expect(host.querySelectorAll(".more-columns")).toHaveLength(1);
  act(() => {
    box.scrollLeft = 200;
    box.dispatchEvent(new Event("scroll"));
  });
  expect(host.querySelectorAll(".more-columns")).toHaveLength(0);
});

test("a table that fits has no such button", () => {
  expect(shown(300).querySelectorAll(".more-columns")).toHaveLength(0);
});
