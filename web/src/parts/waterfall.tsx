import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import "../styles/pictures.css";
import { shownElapsed, shownNumber } from "../app/language";
import { pictureWords as say } from "../words/pictures";
import { barOf, ticksOf, type Bar } from "./waterfall-scale";

/** One bar of a waterfall; `end_ms` equal to `start_ms` makes a mark. */
export interface WaterfallSpan {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly group: string;
  readonly depth: number;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly state: "ok" | "bad" | "open";
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** A waterfall: its spans in order, the whole length, and what is shown under a span that is opened. */
export interface WaterfallProps<Span extends WaterfallSpan> {
  readonly caption: string;
  readonly spans: readonly Span[];
  readonly total_ms: number;
  readonly took?: (span: Span) => string;
  readonly opened: (span: Span) => ComponentChildren;
}

/** Spans under each other with a common time axis, as a table that can be read aloud. */
export function Waterfall<Span extends WaterfallSpan>({ caption, spans, total_ms, took, opened }: WaterfallProps<Span>) {
  const open = useSignal<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(open.value);
    if (!next.delete(id)) next.add(id);
    open.value = next;
  };
  return (
    <div class="waterfall" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{say("step")}</th>
            <th scope="col" class="waterfall-time">
              <Axis total={total_ms} />
            </th>
            <th scope="col" class="number">
              {say("took")}
            </th>
            <th scope="col" class="number waterfall-tokens">
              {say("tokens")}
            </th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => (
            <Row
              key={span.id}
              span={span}
              bar={barOf(span, total_ms)}
              took={took?.(span)}
              isOpen={open.value.has(span.id)}
              onToggle={() => toggle(span.id)}
            >
              {open.value.has(span.id) && opened(span)}
            </Row>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly span: WaterfallSpan;
  readonly bar: Bar;
  readonly took: string | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}

function Row({ span, bar, took, isOpen, onToggle, children }: RowProps) {
  const ms = span.end_ms - span.start_ms;
  const tokens = span.input_tokens + span.output_tokens;
  const inOut = say("tokensInOut", { input: shownNumber(span.input_tokens), output: shownNumber(span.output_tokens) });
  return (
    <>
      <tr class={`waterfall-row waterfall-${span.state}`}>
        <th scope="row" class={`waterfall-name waterfall-depth-${Math.min(span.depth, 3)}`}>
          <button type="button" aria-expanded={isOpen} onClick={onToggle}>
            <span class={`waterfall-dot group-${span.group}`} aria-hidden="true" />
            <span class="waterfall-label">{span.label}</span>
            {span.detail && <span class="waterfall-detail">{span.detail}</span>}
          </button>
        </th>
        <td class="waterfall-time">
          <span class="waterfall-track">
            <span
              class={`waterfall-bar group-${span.group}${bar.mark ? " waterfall-mark" : ""}`}
              style={{ left: `${bar.left}%`, width: bar.mark ? "" : `${bar.width}%` }}
              title={`${say("start")} +${shownElapsed(span.start_ms)}`}
            />
          </span>
        </td>
        <td class="number">{took ?? (ms > 0 ? shownElapsed(ms) : "")}</td>
        <td class="number waterfall-tokens" title={tokens ? inOut : ""}>
          {tokens ? shownNumber(tokens) : ""}
        </td>
      </tr>
      {isOpen && (
        <tr class="waterfall-open">
          <td colSpan={4}>{children}</td>
        </tr>
      )}
    </>
  );
}

function Axis({ total }: { readonly total: number }) {
  return (
    <span class="waterfall-axis">
      {ticksOf(total).map((tick) => (
        <span key={tick} style={{ left: `${total > 0 ? (tick / total) * 100 : 0}%` }}>
          {tick === 0 ? "0" : shownElapsed(tick)}
        </span>
      ))}
    </span>
  );
}
