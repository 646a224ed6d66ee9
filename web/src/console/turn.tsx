import { useSignal } from "@preact/signals";

import { shownElapsed, shownNumber, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { text } from "../events/read";
import type { JsonObject, StoredEvent } from "../generated/api";
import { Waterfall } from "../parts/waterfall";
import { consoleWords as say } from "../words/console";
import { CompareTurns } from "./compare-turns";
import { Block, Facts, Nothing, PageHead, RawJson, Tiles } from "./frame";
import { Await, useLoaded } from "./loaded";
import { addressOf } from "./pages";
import { tookOf, worded } from "./span-words";
import { GROUPS, timelineOf, type Group, type Span, type Timeline } from "./spans";
import { StateChip } from "./state-chip";
import { useTail } from "./tail";
import { eventsOf, turnOf } from "./turn-data";

/** One turn: what it went through, what each part took, and every event behind it. */
export function Turn({ id }: { readonly id: string }) {
  const loaded = useLoaded(`/api/turns/${encodeURIComponent(id)}`);
  return (
    <>
      <PageHead title={say("timeline")} lead={say("timelineLead")}>
        <a class="button quiet small" href={addressOf("timeline")}>
          {say("backToTurns")}
        </a>
        <a class="button quiet small" href={addressOf("context", id)}>
          {say("context")}
        </a>
      </PageHead>
      <Await what={loaded}>{(data) => <Seen id={id} turn={turnOf(data)} stored={eventsOf(data)} />}</Await>
    </>
  );
}

function Seen({ id, turn, stored }: { readonly id: string; readonly turn: JsonObject; readonly stored: readonly StoredEvent[] }) {
  const conversation = text(turn["conversation"]);
  const tail = useTail(conversation, id, stored, text(turn["state"]));
  const timeline = timelineOf(tail.events);
  const state = tail.events.length > stored.length ? timeline.outcome : text(turn["state"]) || timeline.outcome;
  const said = tail.events.find((event) => event.kind === "turn.started");
  return (
    <>
      <div class="console-title">
        <h2>{text(said?.data["message"]) || id.slice(0, 12)}</h2>
        <StateChip state={state} />
        {tail.live && <span class={`chip ${tail.open ? "busy" : "warn"}`}>{say(tail.open ? "liveOn" : "liveOff")}</span>}
      </div>
      <Totals timeline={timeline} />
      <Spans timeline={timeline} turn={id} />
      <CompareTurns turn={id} conversation={conversation} timeline={timeline} />
      <Facts
        facts={[
          [say("turn"), <code>{id}</code>],
          [say("conversation"), <a href={`/chat/${encodeURIComponent(conversation)}`}>{conversation.slice(0, 12)}</a>],
          [say("started"), text(turn["started_at"]) && shownTime(text(turn["started_at"]), { dateStyle: "medium", timeStyle: "medium" })],
          [say("events"), shownNumber(tail.events.length)],
        ]}
      />
    </>
  );
}

function Totals({ timeline }: { readonly timeline: Timeline }) {
  const tiles = [
    { name: say("elapsed_ms"), value: shownElapsed(timeline.elapsed_ms) },
    { name: say("model_calls"), value: shownNumber(timeline.model_calls) },
    { name: say("tool_calls"), value: shownNumber(timeline.tool_calls) },
    { name: say("input_tokens"), value: shownNumber(timeline.input_tokens) },
    { name: say("output_tokens"), value: shownNumber(timeline.output_tokens) },
  ];
  if (timeline.waited_ms > 0) tiles.push({ name: say("waited_ms"), value: shownElapsed(timeline.waited_ms) });
  if (timeline.cost !== null) tiles.push({ name: say("cost"), value: shownNumber(timeline.cost, { maximumFractionDigits: 4 }) });
  return <Tiles tiles={tiles} />;
}

function Spans({ timeline, turn }: { readonly timeline: Timeline; readonly turn: string }) {
  const asked = (place.value.query.get("kind") ?? "").split(",").filter(Boolean);
  const picked = useSignal<ReadonlySet<string>>(new Set(asked));
  const there = GROUPS.filter((group) => timeline.spans.some((span) => span.group === group));
  const shown = timeline.spans.filter((span) => picked.value.size === 0 || picked.value.has(span.group));
  const toggle = (group: Group): void => {
    const next = new Set(picked.value);
    if (!next.delete(group)) next.add(group);
    picked.value = next;
    setQuery({ kind: [...next].join(",") || null });
  };
  return (
    <Block title={say("events")} side={<GroupFilter groups={there} picked={picked.value} onToggle={toggle} />}>
      {shown.length === 0 ? (
        <Nothing>{say("noSpans")}</Nothing>
      ) : (
        <div class="card console-pad">
          <Waterfall
            caption={say("timeline")}
            spans={shown.map(worded)}
            total_ms={timeline.elapsed_ms}
            took={tookOf}
            opened={(span) => <Opened span={span} turn={turn} />}
          />
        </div>
      )}
    </Block>
  );
}

function GroupFilter({
  groups,
  picked,
  onToggle,
}: {
  readonly groups: readonly Group[];
  readonly picked: ReadonlySet<string>;
  readonly onToggle: (group: Group) => void;
}) {
  return (
    <div class="console-chips waterfall" role="group" aria-label={say("kinds")}>
      {groups.map((group) => (
        <button key={group} type="button" class="chip" aria-pressed={picked.has(group)} onClick={() => onToggle(group)}>
          <span class={`waterfall-dot group-${group}`} aria-hidden="true" /> {say(`group_${group}`)}
        </button>
      ))}
    </div>
  );
}

function Opened({ span, turn }: { readonly span: Span; readonly turn: string }) {
  const built = span.events.find((event) => event.kind === "context.built");
  return (
    <>
      {built && (
        <p>
          <a href={addressOf("context", turn, { seq: String(built.seq) })}>{say("seeContext")}</a>
        </p>
      )}
      {span.events.map((event) => (
        <RawJson key={event.seq} value={event} />
      ))}
    </>
  );
}
