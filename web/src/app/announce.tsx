import { signal } from "@preact/signals";

const said = signal("");

/** Tell screen readers something in passing; what is on the screen does not change. */
export function announce(text: string): void {
  said.value = said.value === text ? `${text}\u00a0` : text;
}

/** The place where announcements are read from; once per page. */
export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
