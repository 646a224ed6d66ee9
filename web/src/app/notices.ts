import { signal } from "@preact/signals";

const MOST_CHARS = 120;

/** Whether the browser shows notices of this page: `granted`, `denied`, `default` if nobody was asked, `none` if it cannot. */
export const noticeState = signal<NotificationPermission | "none">(typeof Notification === "undefined" ? "none" : Notification.permission);

/** Ask for the permission; only ever after a click. */
export async function askForNotices(): Promise<void> {
  if (noticeState.value === "none") return;
  noticeState.value = await Notification.requestPermission();
}

/** Show a notice of the browser while nobody looks at the page; a click on it brings the page to the front. */
export function notify(title: string, text = ""): void {
  if (noticeState.value !== "granted" || !document.hidden) return;
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
