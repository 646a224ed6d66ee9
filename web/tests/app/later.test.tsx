import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test, vi } from "vitest";
import { later } from "../../src/app/later";

test("one that is drawn just before the chunk arrives is drawn again with it", async () => {
  let arrive: (found: () => string) => void = () => undefined;
  const Part = later(() => new Promise<() => string>((done) => (arrive = done)));
  const [first, second] = [document.createElement("div"), document.createElement("div")];
  act(() => render(<Part />, first)); // asks for the chunk
  render(<Part />, second); // its effects come after the next frame
  arrive(() => "loaded");
  await vi.waitFor(() => expect(first.textContent).toBe("loaded"));
  await vi.waitFor(() => expect(second.textContent).toBe("loaded"));
});

test("what stands there meanwhile also stands where the chunk cannot be loaded", async () => {
  let fail: (error: Error) => void = () => undefined;
  const Part = later<{ text: string }>(() => new Promise((_, refuse) => (fail = refuse)), ({ text }) => <div>{text}</div>);
  const place = document.createElement("div");
  act(() => render(<Part text="words" />, place));
  expect(place.textContent).toBe("words");
  fail(new Error("gone"));
  await vi.waitFor(() => expect(place.querySelector("[role=alert] button")).not.toBeNull());
  expect(place.textContent).toContain("words");
});
