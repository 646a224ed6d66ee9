import { afterEach, beforeEach, expect, test } from "vitest";
import { watchCutTexts } from "../../src/app/cut-texts";

let stop = (): void => undefined;

function box(text: string, widths: { scroll: number; client: number }, style: string): HTMLElement {
  const made = document.createElement("span");
  made.textContent = text;
  made.style.cssText = style;
  Object.defineProperty(made, "scrollWidth", { value: widths.scroll, configurable: true });
  Object.defineProperty(made, "clientWidth", { value: widths.client, configurable: true });
  document.body.append(made);
  return made;
}

const over = (one: Element): boolean => one.dispatchEvent(new Event("pointerover", { bubbles: true }));
const DOTS = "overflow: hidden; text-overflow: ellipsis";

beforeEach(() => (stop = watchCutTexts()));
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

test("a text that is cut off can be read whole under the pointer, and no longer once it fits", () => {
  const cut = box("在示例台账里插入一个饼图", { scroll: 300, client: 120 }, DOTS);
  over(cut);
  expect(cut.title).toBe("在示例台账里插入一个饼图");
  Object.defineProperty(cut, "clientWidth", { value: 400 });
  over(cut);
  expect(cut.hasAttribute("title")).toBe(false);
});

test("a text that fits, scrolls or has a tooltip of its own stays as it is", () => {
  const fits = box("短", { scroll: 20, client: 120 }, DOTS);
  const scrolls = box("长", { scroll: 300, client: 120 }, "overflow: auto");
  const own = box("长", { scroll: 300, client: 120 }, DOTS);
  own.title = "own";
  [fits, scrolls, own].forEach(over);
  expect([fits.title, scrolls.title, own.title]).toEqual(["", "", "own"]);
});
