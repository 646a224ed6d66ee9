import { shownNumber } from "../app/language";
import { place, setQuery } from "../app/router";
import { list, object, text } from "../events/read";
import { consoleWords as say, type ConsoleWord } from "../words/console";
import { dropReason, sectionName } from "../words/context";
import { contextsOf, type ContextView, type SectionView } from "./context-model";
import { Block, Choice, DataTable, Facts, Nothing, PageHead, headsOf } from "./frame";
import { Await, useLoaded } from "./loaded";
import { addressOf } from "./pages";
import { eventsOf, turnOf } from "./turn-data";
import { SkillName } from "./skill-name";

/** What the model saw in each call of a turn; without an id, of the newest turn. */
export function Context({ id }: { readonly id: string }) {
  return (
    <>
      <PageHead title={say("context")} lead={say("contextLead")}>
        {id && (
          <a class="button quiet small" href={addressOf("timeline", id)}>
            {say("timeline")}
          </a>
        )}
      </PageHead>
      {id ? <OfTurn id={id} /> : <Newest />}
    </>
  );
}

function Newest() {
  const conversations = useLoaded("/api/conversations?limit=1");
  const first = text(list(conversations.data?.["conversations"]).map(object)[0]?.["id"]);
  const turns = useLoaded(first ? `/api/conversations/${encodeURIComponent(first)}/turns` : null);
  return (
    <Await what={conversations}>
      {() => {
        if (!first) return <Nothing>{say("noConversations")}</Nothing>;
        const turn = text(list(turns.data?.["turns"]).map(object)[0]?.["id"]);
        return turn ? <OfTurn id={turn} /> : <Nothing>{say("pickTurn")}</Nothing>;
      }}
    </Await>
  );
}

function OfTurn({ id }: { readonly id: string }) {
  const loaded = useLoaded(`/api/turns/${encodeURIComponent(id)}`);
  return (
    <Await what={loaded}>
      {(data) => {
        const events = eventsOf(data);
        const calls = contextsOf(events);
        const said = text(events.find((event) => event.kind === "turn.started")?.data["message"]) || text(turnOf(data)["id"]);
        const asked = Number(place.value.query.get("seq"));
        const shown = calls.find((call) => call.seq === asked) ?? calls[0];
        return (
          <>
            <div class="console-title">
              <h2>{said}</h2>
              {calls.length > 1 && <Calls calls={calls} at={shown?.seq ?? 0} />}
            </div>
            {shown ? <OneCall call={shown} /> : <Nothing>{say("noContext")}</Nothing>}
          </>
        );
      }}
    </Await>
  );
}

function Calls({ calls, at }: { readonly calls: readonly ContextView[]; readonly at: number }) {
  const options = calls.map((call, index) => ({ value: String(call.seq), text: say("callNumber", { number: index + 1 }) }));
  return <Choice label={say("calls")} options={options} value={String(at)} onPick={(seq) => setQuery({ seq })} />;
}

function OneCall({ call }: { readonly call: ContextView }) {
  const percent = call.limit > 0 ? Math.round((call.tokens / call.limit) * 100) : 0;
  const values = { tokens: shownNumber(call.tokens), limit: shownNumber(call.limit), percent };
  return (
    <>
      <div class="card console-pad console-budget">
        <p>
          <strong>{say("budget")}</strong> {say("ofBudget", values)} {call.over && <span class="chip bad">{say("overBudget")}</span>}
        </p>
        <Stack sections={call.sections} />
        <Facts
          facts={[
            [say("phase"), word("phase_", call.phase)],
            [say("mode"), word("mode_", call.mode)],
            [say("skill"), call.skill && <SkillName id={call.skill} link />],
            [say("offered"), call.offered.join(", ")],
            [say("missing"), call.missing.join(", ")],
            [say("notes"), call.notes.join(" ")],
          ]}
        />
      </div>
      <Sections sections={call.sections} />
      <LeftOut call={call} />
    </>
  );
}

/** All sections behind each other, against the whole budget. */
function Stack({ sections }: { readonly sections: readonly SectionView[] }) {
  return (
    <div class="console-stack chart" aria-hidden="true">
      {sections.map((section, at) => (
        <span
          key={section.name}
          class={`chart-swatch-${(at % 8) + 1}`}
          style={{ width: `${section.share * 100}%` }}
          title={`${sectionName(section.name)} ${section.tokens}`}
        />
      ))}
    </div>
  );
}

function Sections({ sections }: { readonly sections: readonly SectionView[] }) {
  const heads = headsOf(["section", "tokens", "limit", "budget", "kept", "dropped"], ["tokens", "limit", "dropped"]);
  return (
    <Block title={say("sections")}>
      <DataTable caption={say("sections")} heads={heads}>
        {sections.map((section, at) => (
          <tr key={section.name}>
            <th scope="row">
              <span class="chart">
                <span class={`chart-swatch console-dot chart-swatch-${(at % 8) + 1}`} aria-hidden="true" />
              </span>{" "}
              {sectionName(section.name)} {section.required && <span class="chip">{say("required")}</span>}
            </th>
            <td class="number">{shownNumber(section.tokens)}</td>
            <td class="number">{section.limit === null ? "–" : shownNumber(section.limit)}</td>
            <td class="console-barcell">
              <span class="console-bar chart">
                <span class={`chart-swatch-${(at % 8) + 1}`} style={{ width: `${section.share * 100}%` }} />
              </span>
            </td>
            <td title={section.kept.join(", ")}>{section.kept.join(", ") || "–"}</td>
            <td class="number">{section.dropped.length || "–"}</td>
          </tr>
        ))}
      </DataTable>
    </Block>
  );
}

function LeftOut({ call }: { readonly call: ContextView }) {
  const heads = headsOf(["section", "piece", "tokens", "why"], ["tokens"]);
  return (
    <Block title={say("droppedTitle")}>
      {call.dropped.length === 0 ? (
        <Nothing>{say("nothingDropped")}</Nothing>
      ) : (
        <DataTable caption={say("droppedTitle")} heads={heads}>
          {call.dropped.map((one, at) => (
            <tr key={at}>
              <td>{sectionName(one.section)}</td>
              <td>{one.piece}</td>
              <td class="number">{shownNumber(one.tokens)}</td>
              <td class="console-wrap" title={one.text}>
                {dropReason(one.code, one.text)} <code>{one.code}</code>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Block>
  );
}

function word(start: "phase_" | "mode_", value: string): string {
  const known = ["phase_choose", "phase_work", "mode_append", "mode_rewrite"];
  return known.includes(start + value) ? say((start + value) as ConsoleWord) : value;
}
