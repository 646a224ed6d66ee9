import { shownElapsed, shownNumber, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { list, object, text } from "../events/read";
import { consoleWords as say } from "../words/console";
import { Block, DataTable, headsOf } from "./frame";
import { Await, useLoaded } from "./loaded";
import { compareTurns, timelineOf, type Compared, type Timeline } from "./spans";
import { eventsOf } from "./turn-data";

/** The figures of this turn beside those of another one of the same conversation, or of any that the address names. */
export function CompareTurns({
  turn,
  conversation,
  timeline,
}: {
  readonly turn: string;
  readonly conversation: string;
  readonly timeline: Timeline;
}) {
  const other = place.value.query.get("with") ?? "";
  const turns = useLoaded(conversation ? `/api/conversations/${encodeURIComponent(conversation)}/turns` : null);
  const loaded = useLoaded(other ? `/api/turns/${encodeURIComponent(other)}` : null);
  const options = list(turns.data?.["turns"])
    .map(object)
    .filter((one) => text(one["id"]) !== turn);
  if (options.length === 0 && !other) return null;
  const known = options.some((one) => text(one["id"]) === other);
  return (
    <Block
      title={say("compareWith")}
      side={
        <select
          class="console-select"
          aria-label={say("compareWith")}
          value={other}
          onChange={(change) => setQuery({ with: change.currentTarget.value || null })}
        >
          <option value="">{say("compareNone")}</option>
          {!known && other && <option value={other}>{other.slice(0, 12)}</option>}
          {options.map((one) => (
            <option key={text(one["id"])} value={text(one["id"])}>
              {shownTime(text(one["started_at"]), { dateStyle: "short", timeStyle: "medium" })} ·{" "}
              {text(one["message"]).slice(0, 30) || text(one["id"]).slice(0, 8)}
            </option>
          ))}
        </select>
      }
    >
      {other && <Await what={loaded}>{(data) => <Figures rows={compareTurns(timeline, timelineOf(eventsOf(data)))} />}</Await>}
    </Block>
  );
}

function Figures({ rows }: { readonly rows: readonly Compared[] }) {
  const heads = headsOf(["figure", "thisTurn", "otherTurn", "difference"], ["thisTurn", "otherTurn", "difference"]);
  return (
    <DataTable caption={say("compareWith")} heads={heads}>
      {rows.map((row) => {
        const shown = (value: number): string => (value > 0 && row.name.endsWith("_ms") ? shownElapsed(value) : shownNumber(value));
        const sign = row.delta > 0 ? "+" : row.delta < 0 ? "−" : "±";
        return (
          <tr key={row.name}>
            <th scope="row">{say(row.name)}</th>
            <td class="number">{shown(row.one)}</td>
            <td class="number">{shown(row.other)}</td>
            <td class="number">
              {sign}
              {shown(Math.abs(row.delta))}
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}
