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
