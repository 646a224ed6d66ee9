import { shownElapsed, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { list, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";
import { consoleWords as say } from "../words/console";
import { DataTable, Nothing, PageHead, headsOf } from "./frame";
import { Await, useLoaded } from "./loaded";
import { addressOf } from "./pages";
import { StateChip } from "./state-chip";
import { SkillName } from "./skill-name";

/** Conversations, and the turns of the one that is picked. */
export function Timeline() {
  const conversations = useLoaded("/api/conversations?limit=50");
  return (
    <>
      <PageHead title={say("timeline")} lead={say("timelineLead")}>
        <button type="button" class="button quiet small" onClick={conversations.again}>
          {say("reload")}
        </button>
      </PageHead>
      <Await what={conversations}>{(data) => <Picked conversations={list(data["conversations"]).map(object)} />}</Await>
    </>
  );
}

function Picked({ conversations }: { readonly conversations: readonly JsonObject[] }) {
  const asked = place.value.query.get("conversation") ?? "";
  const picked = asked || text(conversations[0]?.["id"]);
  if (!picked) return <Nothing>{say("noConversations")}</Nothing>;
  return (
    <div class="console-split">
      <nav class="console-picks" aria-label={say("conversations")}>
        <ul>
          {conversations.map((one) => (
            <li key={text(one["id"])}>
              <button type="button" aria-pressed={text(one["id"]) === picked} onClick={() => setQuery({ conversation: text(one["id"]) })}>
                <span>{text(one["title"]) || say("untitled")}</span>
                <small class="muted">
                  {shownTime(text(one["updated_at"]))} {text(one["skill"]) && <SkillName id={text(one["skill"])} />}
                </small>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <Turns conversation={picked} />
    </div>
  );
}

function Turns({ conversation }: { readonly conversation: string }) {
  const path = `/api/conversations/${encodeURIComponent(conversation)}`;
  const turns = useLoaded(`${path}/turns`);
  const whole = useLoaded(path);
  const said = new Map(messagesOf(whole.data));
  return (
    <Await what={turns}>
      {(data) => {
        const found = newestFirst(list(data["turns"]).map(object));
        if (found.length === 0) return <Nothing>{say("noTurns")}</Nothing>;
        const heads = headsOf(["turn", "state", "started", "took"], ["took"]);
        return (
          <div>
            <DataTable caption={say("turns")} heads={heads}>
              {found.map((turn) => (
                <TurnRow key={text(turn["id"])} turn={turn} said={said.get(text(turn["id"])) ?? ""} />
              ))}
            </DataTable>
            <p class="console-note">
              <a href={`/chat/${encodeURIComponent(conversation)}`}>{say("toChat")}</a>
            </p>
          </div>
        );
      }}
    </Await>
  );
}

/** Turns by when they began: one that went on after an answer keeps its place. */
export function newestFirst(turns: readonly JsonObject[]): JsonObject[] {
  return turns.toSorted((one, other) => text(other["started_at"]).localeCompare(text(one["started_at"])));
}

/** What the user said at the start of each turn. */
function messagesOf(data: JsonObject | null): [string, string][] {
  const messages = list(data?.["messages"])
    .map(object)
    .filter((one) => text(one["role"]) === "user");
  return messages.reverse().map((one) => [text(one["turn"]), text(one["content"])]);
}

function TurnRow({ turn, said }: { readonly turn: JsonObject; readonly said: string }) {
  const id = text(turn["id"]);
  const [from, to] = [text(turn["started_at"]), text(turn["ended_at"])];
  return (
    <tr>
      <td>
        <a href={addressOf("timeline", id)}>{text(turn["message"]) || said || <span class="mono">{id.slice(0, 12)}</span>}</a>
      </td>
      <td>
        <StateChip state={text(turn["state"])} />
      </td>
      <td>{from && shownTime(from, { dateStyle: "short", timeStyle: "medium" })}</td>
      <td class="number">{from && to ? shownElapsed(Date.parse(to) - Date.parse(from)) : "–"}</td>
    </tr>
  );
}
