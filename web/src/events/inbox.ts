import { reduce } from "./reducer";
import type { Conversation } from "./state";
import type { StoredEvent } from "../generated/api";

/** Puts events into their order, whichever stream brought them: each counts once, and none before the one ahead of it. */
export class Inbox {
  private readonly early = new Map<number, StoredEvent>();

  constructor(private known: Conversation) {}

  /** The conversation as far as it is known without a gap. */
  get state(): Conversation {
    return this.known;
  }

  /** Whether something came whose predecessor did not. */
  get gap(): boolean {
    return this.early.size > 0;
  }

  /** Take in events; what follows without a gap counts, the rest waits. */
  push(events: Iterable<StoredEvent>): Conversation {
    for (const event of events) {
      if (event.seq <= this.known.seq) continue;
      if (first(event) === this.known.seq + 1) this.known = reduce(this.known, event);
      else this.early.set(event.seq, event);
      this.drain();
    }
    return this.known;
  }

  private drain(): void {
    for (;;) {
      let next: StoredEvent | null = null;
      for (const event of this.early.values()) {
        if (event.seq <= this.known.seq) this.early.delete(event.seq);
        else if (first(event) === this.known.seq + 1) next = event;
      }
      if (!next) return;
      this.early.delete(next.seq);
      this.known = reduce(this.known, next);
    }
  }
}

function first(event: StoredEvent): number {
  return event.first_seq ?? event.seq;
}
