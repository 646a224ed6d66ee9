import { beforeAll, beforeEach, expect, test } from "vitest";
import { go, place, setQuery, startRouter } from "../../src/app/router";

beforeAll(startRouter);
beforeEach(() => go("/"));

/** Press a link; true when the browser was left to follow it. */
function pressed(html: string, init: MouseEventInit = {}): boolean {
  document.body.innerHTML = html;
  const click = new MouseEvent("click", { bubbles: true, cancelable: true, button: 0, ...init });
  return document.querySelector("a")?.dispatchEvent(click) ?? false;
}

test.each([
  ['<a href="/chat/9f2c">x</a>', "/chat/9f2c"],
  ['<a href="/console/skills?q=1">x</a>', "/console/skills"],
])("%s is followed in the page", (html, path) => {
  expect(pressed(html)).toBe(false);
  expect(place.value.path).toBe(path);
});

test.each([
  '<a href="#main">x</a>',
  '<a href="/console/skills.json">x</a>',
  '<a href="/api/info">x</a>',
  '<a href="/chat/1" target="_blank">x</a>',
  '<a href="/chat/1" download>x</a>',
  '<a href="https://elsewhere.example/chat/1">x</a>',
])("%s is left to the browser", (html) => {
  document.addEventListener("click", (event) => event.defaultPrevented || event.preventDefault(), { once: true });
  pressed(html);
  expect(place.value.path).toBe("/");
});

test("a link that is opened beside stays the browser's", () => {
  document.addEventListener("click", (event) => event.preventDefault(), { once: true });
  pressed('<a href="/chat/1">x</a>', { ctrlKey: true });
  expect(place.value.path).toBe("/");
});

test("a view keeps its choices in the address", () => {
  setQuery({ skill: "net", page: "2" });
  setQuery({ page: null });
  expect(location.search).toBe("?skill=net");
  expect(place.value.query.get("skill")).toBe("net");
});
