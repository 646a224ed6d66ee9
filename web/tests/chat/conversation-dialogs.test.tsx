import { render } from "preact";
import { expect, it, vi } from "vitest";

import { setLanguage } from "../../src/app/language";
import { DeleteDialog } from "../../src/chat/conversation-dialogs";

const LISTED = { id: "a", title: "April", skill: null, model: null, updated_at: "2026-01-01T00:00:00Z" };

it.each([
  ["en", "Export everything first (ZIP)"],
  ["zh", "先导出全部（ZIP）"],
] as const)("an export is offered before a conversation is deleted (%s)", (language, label) => {
  document.body.innerHTML = '<div id="app"></div>';
  HTMLDialogElement.prototype.showModal = function (): void {
    this.open = true;
  };
  setLanguage(language);
  const [onDone, onExport, onClose] = [vi.fn(), vi.fn(), vi.fn()];
  render(<DeleteDialog one={LISTED} onClose={onClose} onDone={onDone} onExport={onExport} />, document.getElementById("app") as HTMLElement);
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent?.trim() === label);
  button?.click();
  expect([onExport.mock.calls.length, onDone.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0, 0]);
});
