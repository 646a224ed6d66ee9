import { render, type VNode } from "preact";
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

test("what stands there meanwhile stays where the chunk cannot be loaded, until another try succeeds", async () => {
  vi.useFakeTimers();
  try {
    const tries: { done: (found: (props: { text: string }) => VNode) => void; fail: (error: Error) => void }[] = [];
    const load = () => new Promise<(props: { text: string }) => VNode>((done, fail) => tries.push({ done, fail }));
    const Part = later<{ text: string }>(load, ({ text }) => <div>{text}</div>);
    const place = document.createElement("div");
    await act(() => render(<Part text="words" />, place));
    await act(async () => tries[0]?.fail(new Error("gone")));
    expect(place.innerHTML).toBe("<div>words</div>");
    await act(async () => void (await vi.advanceTimersByTimeAsync(5000)));
    await act(async () => tries[1]?.done(({ text }) => <b>{text}</b>));
    expect(place.innerHTML).toBe("<b>words</b>");
  } finally {
    vi.useRealTimers();
  }
});
