/** Something that began, may have ended, and may have waited for a person in between. */
interface Timed {
  readonly started: string | null;
  readonly ended: string | null;
  readonly waited_ms?: number;
}

/** How long it worked; null while one end is missing. The time in which a person was asked is not work. */
export function workedMs({ started, ended, waited_ms = 0 }: Timed): number | null {
  const took = Date.parse(ended ?? "") - Date.parse(started ?? "");
  return Number.isNaN(took) ? null : Math.max(0, took - waited_ms);
}

/** The time between a question and its answer. */
export function waitedMs(asked: string | null | undefined, answered: string): number {
  const waited = Date.parse(answered) - Date.parse(asked ?? "");
  return Number.isNaN(waited) ? 0 : Math.max(0, waited);
}
