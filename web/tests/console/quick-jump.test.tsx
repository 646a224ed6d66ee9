import { render } from "preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { setLanguage } from "../../src/app/language";
import { go, place } from "../../src/app/router";
import { openJump, QuickJump } from "../../src/console/quick-jump";

const SKILLS = { skills: [{ id: "capacity_analysis", title: "容量专项分析", triggers: ["capacity"] }] };

const dialog = (): HTMLDialogElement | null => document.querySelector("dialog");
const field = (): HTMLInputElement => document.querySelector("input") as HTMLInputElement;

/** The answer of the server, given when the test says so. */
let answer: (body: object, status?: number) => void;

async function type(text: string): Promise<void> {
  field().value = text;
  field().dispatchEvent(new InputEvent("input", { bubbles: true }));
  await vi.waitFor(() => expect([...document.querySelectorAll("[role=option] span")].map((one) => one.textContent)).toContain(`Route: ${text}`));
}

function press(key: string): void {
  field().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}

beforeEach(async () => {
  document.body.innerHTML = '<div id="app"></div>';
  HTMLDialogElement.prototype.showModal = function (): void {
    this.open = true;
  };
  setLanguage("en");
  vi.stubGlobal(
    "fetch",
    () =>
      new Promise<Response>((give) => {
        answer = (body, status = 200) => give(new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } }));
      }),
  );
  go("/console/timeline");
  render(<QuickJump />, document.getElementById("app") as HTMLElement);
  openJump();
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
});

afterEach(() => {
  dialog()?.dispatchEvent(new Event("close"));
  render(null, document.getElementById("app") as HTMLElement);
});

describe("Enter in the quick jump before the skills are loaded", () => {
  it("waits for them and opens the skill that fits", async () => {
    await type("capacity");
    press("Enter");
    await vi.waitFor(() => expect(document.querySelector("[role=status]")?.textContent).toBe("Loading…"));
    expect(place.value.path).toBe("/console/timeline");
    answer(SKILLS);
    await vi.waitFor(() => expect(place.value.path).toBe("/console/skills/capacity_analysis"));
    expect(dialog()).toBeNull();
  });

  it("opens the playground if no skill fits", async () => {
    await type("zzz");
    press("Enter");
    answer(SKILLS);
    await vi.waitFor(() => expect(place.value.path).toBe("/console/playground"));
    expect(place.value.query.get("q")).toBe("zzz");
  });

  it("goes on without them if they cannot be read", async () => {
    await type("capacity");
    press("Enter");
    answer({ error: { code: "internal", message: "no" } }, 500);
    await vi.waitFor(() => expect(place.value.path).toBe("/console/playground"));
  });

  it("waits no longer when something else is typed", async () => {
    await type("capacity");
    press("Enter");
    await vi.waitFor(() => expect(document.querySelector("[role=status]")).not.toBeNull());
    await type("capa");
    answer(SKILLS);
    await vi.waitFor(() => expect(document.querySelector("[role=option]")?.textContent).toContain("容量专项分析"));
    expect(place.value.path).toBe("/console/timeline");
  });

  it("takes an entry that was picked with the arrows at once", async () => {
    await type("te");
    press("ArrowDown");
    await vi.waitFor(() => expect(document.querySelectorAll("[role=option]")[1]?.getAttribute("aria-selected")).toBe("true"));
    press("Enter");
    await vi.waitFor(() => expect(dialog()).toBeNull());
    expect(place.value.path).not.toBe("/console/timeline");
  });
});
