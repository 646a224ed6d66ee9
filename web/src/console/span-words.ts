import { shownElapsed, shownNumber } from "../app/language";
import { consoleWords as say, type ConsoleWord } from "../words/console";
import type { Span } from "./spans";

const KINDS: ReadonlySet<string> = new Set([
  "turn.started",
  "turn.done",
  "turn.failed",
  "skill.activated",
  "skill.left",
  "plan.created",
  "milestone.passed",
  "milestone.failed",
  "fact.saved",
  "fact.removed",
  "attachment.added",
  "attachment.removed",
  "tool.violation",
  "exception.requested",
  "exception.decided",
  "table",
  "chart",
  "map",
  "tool.progress",
  "pause.changed",
  "image",
  "file",
  "tasks",
  "todos",
  "text.done",
  "suggestions",
  "flow.planned",
  "flow.node",
  "reflect",
  "report",
  "error",
]);
const GROUPED: ReadonlySet<string> = new Set(["context", "model", "pause"]);

/** A span in the reader's words: kinds of events have names, tools and steps keep theirs. */
export function worded(span: Span): Span {
  const kind = span.events[0]?.kind ?? "";
  if (kind === "skill.routed")
    return { ...span, label: say("label_route"), detail: [verdict(span.label), span.detail].filter(Boolean).join(" · ") };
  if (GROUPED.has(span.group) && !KINDS.has(kind))
    return { ...span, label: say(`label_${span.group}` as ConsoleWord), detail: detailOf(span) };
  if (span.group === "step")
    return { ...span, detail: span.detail.replace(/^(done|failed|skipped|retried)\b/, (state) => say(`state_${state}` as ConsoleWord)) };
  return KINDS.has(kind) && span.label === kind ? { ...span, label: say(`kind_${kind}` as ConsoleWord) } : span;
}

/** What a span took, in words: a length of time, or how long a person was waited for. */
export function tookOf(span: Span): string {
  if (span.group === "pause" && span.state === "open") return say("asking");
  if (span.waited_ms > 0) return say("waited", { time: shownElapsed(span.waited_ms) });
  const ms = span.end_ms - span.start_ms;
  return ms > 0 ? shownElapsed(ms) : "";
}

function detailOf(span: Span): string {
  if (span.group === "model") return span.first_ms === null ? "" : say("firstToken", { time: shownElapsed(span.first_ms) });
  if (span.group !== "context") return span.detail;
  const phase = span.label === "choose" || span.label === "work" ? say(`phase_${span.label}`) : span.label;
  return `${phase} · ${span.detail.replace(/\d+/g, (digits) => shownNumber(Number(digits)))}`;
}

function verdict(label: string): string {
  return label === "auto" || label === "suggest" || label === "none" ? say(`verdict_${label}`) : label;
}
