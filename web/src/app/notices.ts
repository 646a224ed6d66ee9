import { signal } from "@preact/signals";
import { recall, remember } from "./memory";

const MOST_CHARS = 120;

/** Whether the browser shows notices of this page: `granted`, `denied`, `default` if nobody was asked, `none` if it cannot. */
export const noticeState = signal<NotificationPermission | "none">(typeof Notification === "undefined" ? "none" : Notification.permission);

/** Whether the reader wants none, though the browser would show them. */
export const noticesOff = signal(recall("notices") === "off");

/** Ask for the permission, or switch notices off and on again; only ever after a click. */
export async function askForNotices(): Promise<void> {
  if (noticeState.value === "none") return;
  if (noticeState.value === "granted") remember("notices", (noticesOff.value = !noticesOff.value) ? "off" : null);
  else noticeState.value = await Notification.requestPermission();
}

/** Show a notice of the browser while nobody looks at the page; a click on it brings the page to the front. */
export function notify(title: string, text = ""): void {
  if (noticeState.value !== "granted" || noticesOff.value || !document.hidden) return;
  try {
    const shown = new Notification(title, { body: text.slice(0, MOST_CHARS), icon: "/favicon.svg", tag: "metier" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    noticeState.value = "none"; // some browsers only let service workers show them
  }
}
