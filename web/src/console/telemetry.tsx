import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";

import { shownElapsed, shownNumber, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { list, object, text } from "../events/read";
import { Chart } from "../parts/chart";
import { consoleWords as say } from "../words/console";
import { Block, DataTable, Nothing, PageHead, RawJson, Tiles } from "./frame";
import { Await, Problem, useLoaded } from "./loaded";
import { addressOf } from "./pages";
import { gist, summaryFrom, summaryOf, telemetryRows, type TelemetryRow, type TelemetrySummary } from "./telemetry-model";

const LIMIT = 200;

/** Telemetry: what happened together, and event by event; says how to switch it on. */
export function Telemetry() {
  const info = useLoaded("/api/info");
  return (
    <>
      <PageHead title={say("telemetry")} lead={say("telemetryLead")}>
        <button type="button" class="button quiet small" onClick={info.again}>
          {say("reload")}
        </button>
      </PageHead>
      <Await what={info}>
        {(data) => (data["dev_routes"] === false ? <SwitchedOff /> : <Explorer key={info.busy ? "busy" : "still"} mine={data["keys"] === true} />)}
      </Await>
    </>
  );
}

function SwitchedOff() {
  return (
    <div class="card console-pad console-off">
      <h2>{say("telemetryOff")}</h2>
      <p>{say("telemetryHow")}</p>
      <pre>METIER_DEV_ROUTES=true metier serve</pre>
    </div>
  );
}

/** Events and totals; with API keys a user sees those of one own conversation at a time (`mine`). */
function Explorer({ mine }: { readonly mine: boolean }) {
  const { query } = place.value;
  const waits = mine && !query.get("session");
  const asked = new URLSearchParams({ limit: String(LIMIT) });
  for (const name of ["event", "session", "since", "text"]) if (query.get(name)) asked.set(name, query.get(name) ?? "");
  const events = useLoaded(waits ? null : `/dev/telemetry/events?${asked}`);
  asked.delete("limit");
  const summary = useLoaded(waits ? null : `/dev/telemetry/summary?${asked}`);
  if (events.error?.code === "not_found" || events.error?.code === "http_404") return <SwitchedOff />;
  if (events.error) return <Problem error={events.error} again={events.again} />;
  const rows = events.data ? telemetryRows(events.data) : [];
  const told = summary.data ? summaryOf(summary.data) : summaryFrom(rows);
  const filters = <Filters names={told.byEvent.map(([name]) => name)} mine={mine} />;
  if (waits)
    return (
      <>
        {filters}
        <Nothing>{say("pickConversation")}</Nothing>
      </>
    );
  return (
    <>
      {filters}
      <Await what={events}>
        {() => (
          <>
            <Totals told={told} />
            {told.byEvent.length > 1 && <ByName told={told} />}
            <Events rows={rows} more={text(events.data?.["next"]) !== ""} />
          </>
        )}
      </Await>
    </>
  );
}

function Filters({ names, mine }: { readonly names: readonly string[]; readonly mine: boolean }) {
  const { query } = place.value;
  const pick = (name: string, value: string): void => setQuery({ [name]: value || null });
  const event = query.get("event") ?? "";
  const spans = [
    ["", say("all")],
    ["1h", say("sinceHour")],
    ["1d", say("sinceDay")],
    ["7d", say("sinceWeek")],
  ] as const;
  return (
    <div class="console-bar-row">
      <select aria-label={say("eventName")} value={event} onChange={(change) => pick("event", change.currentTarget.value)}>
        <option value="">{say("all")}</option>
        {[...new Set([...names, ...(event ? [event] : [])])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select aria-label={say("since")} value={query.get("since") ?? ""} onChange={(change) => pick("since", change.currentTarget.value)}>
        {spans.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      {mine ? (
        <Conversations value={query.get("session") ?? ""} onPick={(id) => pick("session", id)} />
      ) : (
        <input
          type="search"
          aria-label={say("session")}
          placeholder={say("session")}
          value={query.get("session") ?? ""}
          onChange={(change) => pick("session", change.currentTarget.value)}
        />
      )}
      <input
        type="search"
        aria-label={say("search")}
        placeholder={say("search")}
        value={query.get("text") ?? ""}
        onChange={(change) => pick("text", change.currentTarget.value)}
      />
    </div>
  );
}

function Conversations({ value, onPick }: { readonly value: string; readonly onPick: (id: string) => void }) {
  const loaded = useLoaded("/api/conversations");
  const talks = list(loaded.data?.["conversations"]).map(object);
  return (
    <select aria-label={say("conversation")} value={value} onChange={(change) => onPick(change.currentTarget.value)}>
      <option value="">{say("conversation")}</option>
      {talks.map((one) => (
        <option key={text(one["id"])} value={text(one["id"])}>
          {text(one["title"]) || say("untitled")}
        </option>
      ))}
    </select>
  );
}

function Totals({ told }: { readonly told: TelemetrySummary }) {
  return (
    <Tiles
      tiles={[
        { name: say("events"), value: shownNumber(told.events) },
        { name: say("sessions"), value: shownNumber(told.sessions) },
        { name: say("turns"), value: shownNumber(told.turns) },
        { name: say("llmCalls"), value: shownNumber(told.calls) },
        { name: say("tokensTotal"), value: shownNumber(told.tokens) },
        { name: say("tabViolations"), value: shownNumber(told.violations), ...(told.violations ? { tone: "warn" as const } : {}) },
        { name: `${say("took")} p50`, value: told.turnMs === null ? "–" : shownElapsed(told.turnMs) },
      ]}
    />
  );
}

function ByName({ told }: { readonly told: TelemetrySummary }) {
  const key = JSON.stringify(told.byEvent);
  const [title, count] = [say("eventsByName"), say("count")];
  const spec = useMemo(
    () => ({
      kind: "grouped_bar",
      title,
      columns: [
        { key: "name", title: say("eventName"), type: "text", unit: "" },
        { key: "count", title: count, type: "number", unit: "" },
      ],
      rows: told.byEvent,
      x: "name",
      y: ["count"],
      group: "",
    }),
    [key, title],
  );
  return (
    <div class="card console-pad console-gap">
      <Chart spec={spec} />
    </div>
  );
}

function Events({ rows, more }: { readonly rows: readonly TelemetryRow[]; readonly more: boolean }) {
  const open = useSignal("");
  if (rows.length === 0) return <Nothing>{say("noTelemetry")}</Nothing>;
  const heads = [
    { text: say("at") },
    { text: say("eventName") },
    { text: say("payload") },
    { text: say("session") },
    { text: say("turn") },
    { text: "JSON" },
  ];
  return (
    <Block title={say("events")} side={more ? <span class="muted small">{say("newest", { count: LIMIT })}</span> : undefined}>
      <DataTable caption={say("events")} heads={heads}>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <tr>
              <td>{row.at && shownTime(row.at, { dateStyle: "short", timeStyle: "medium" })}</td>
              <th scope="row">{row.name}</th>
              <td class="mono" title={gist(row.payload)}>
                {gist(row.payload)}
              </td>
              <td>
                {row.session ? (
                  <button type="button" class="console-link" onClick={() => setQuery({ session: row.session })}>
                    {row.session.slice(0, 8)}
                  </button>
                ) : (
                  "–"
                )}
              </td>
              <td>{row.turn ? <a href={addressOf("timeline", row.turn)}>{row.turn.slice(0, 8)}</a> : "–"}</td>
              <td>
                <button
                  type="button"
                  class="button quiet small"
                  aria-expanded={open.value === row.id}
                  onClick={() => (open.value = open.value === row.id ? "" : row.id)}
                >
                  JSON
                </button>
              </td>
            </tr>
            {open.value === row.id && (
              <tr class="console-opened">
                <td colSpan={heads.length}>
                  <RawJson value={row.whole} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </DataTable>
    </Block>
  );
}
