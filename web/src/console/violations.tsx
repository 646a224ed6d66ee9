import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";

import { errorOf, post } from "../app/api";
import { shownNumber, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { list, object, text, texts } from "../events/read";
import type { GateVerdict, JsonObject } from "../generated/api";
import { consoleWords as say, type ConsoleWord } from "../words/console";
import { Choice, DataTable, Nothing, PageHead, headsOf } from "./frame";
import { byTool, filtered, rowsOf, type InboxRow } from "./inbox-model";
import { Await, Problem, useLoaded, type Loaded } from "./loaded";
import { ExceptionAdvice } from "./exception-advice";
import { addressOf } from "./pages";
import { PendingTools } from "./pending-tools";
import { WaitingApprovals } from "./waiting-approvals";
import { SkillName } from "./skill-name";

type Tab = "violations" | "exceptions" | "pauses" | "approvals" | "tools";

const TABS: readonly { readonly value: Tab; readonly word: ConsoleWord; readonly empty: ConsoleWord }[] = [
  { value: "violations", word: "tabViolations", empty: "noViolations" },
  { value: "exceptions", word: "tabExceptions", empty: "noExceptions" },
  { value: "pauses", word: "tabPauses", empty: "noPauses" },
  { value: "approvals", word: "tabApprovals", empty: "noApprovals" },
  { value: "tools", word: "tabTools", empty: "noPendingTools" },
];

const CODES: readonly string[] = [
  "arguments_changed", "file_not_kept",
  "unknown_tool",
  "not_allowed_by_skill",
  "forbidden_by_skill",
  "not_in_plan",
  "forbidden_by_plan",
  "forbidden_for_task_type",
  "skill_not_active",
  "skill_is_bound",
  "skill_waits",
  "skill_was_left",
  "skill_not_offered",
  "ambiguous_tool",
  "denied_by_policy",
];

const KINDS: readonly string[] = ["question", "approval", "parameters", "arguments", "exception"];

const NOTES: Readonly<Record<string, ConsoleWord>> = {
  "lists it": "note_listed",
  "does not list it": "note_not_listed",
  "forbids it": "note_forbidden",
  "asks a person first": "note_confirm",
  "does not object": "note_silent",
};

/** What was refused, what was asked for beyond the rules, and which questions are open. */
export function Violations() {
  const asked = place.value.query.get("tab");
  const tab = TABS.find((one) => one.value === asked) ?? TABS[0];
  if (!tab) return null;
  return (
    <>
      <PageHead title={say("violations")} lead={say("violationsLead")} />
      <div class="console-bar-row">
        <Choice
          label={say("violations")}
          options={TABS.map((one) => ({ value: one.value, text: say(one.word) }))}
          value={tab.value}
          onPick={(value) => setQuery({ tab: value === "violations" ? null : value })}
        />
      </div>
      {tab.value === "exceptions" && <ExceptionAdvice />}
      {tab.value === "tools" ? <PendingTools /> : tab.value === "approvals" ? <WaitingApprovals /> : <Inbox key={tab.value} tab={tab.value} empty={tab.empty} />}
    </>
  );
}

function Inbox({ tab, empty }: { readonly tab: Exclude<Tab, "tools" | "approvals">; readonly empty: ConsoleWord }) {
  const loaded = useLoaded(tab === "pauses" ? "/api/pauses" : `/api/${tab}?limit=500`);
  const typed = place.value.query.get("q") ?? "";
  return (
    <Await what={loaded}>
      {(data) => {
        const all = rowsOf(data, tab);
        const shown = filtered(all, typed);
        if (all.length === 0) return <Nothing>{say(empty)}</Nothing>;
        return (
          <>
            <div class="console-bar-row">
              <input
                type="search"
                aria-label={say("filter")}
                placeholder={say("filter")}
                value={typed}
                onInput={(input) => setQuery({ q: input.currentTarget.value || null })}
              />
              <span class="muted small">{say("countShown", { shown: shownNumber(shown.length), total: shownNumber(all.length) })}</span>
              {tab === "violations" && <ToolCounts rows={all} />}
            </div>
            {tab === "violations" && <Refused rows={shown} />}
            {tab === "exceptions" && <Exceptions rows={shown} />}
            {tab === "pauses" && <Questions rows={shown} />}
          </>
        );
      }}
    </Await>
  );
}

function ToolCounts({ rows }: { readonly rows: readonly InboxRow[] }) {
  return (
    <span class="console-chips" role="group" aria-label={say("byTool")}>
      {byTool(rows)
        .slice(0, 6)
        .map(({ tool, count }) => (
          <button key={tool} type="button" class="chip" onClick={() => setQuery({ q: tool })}>
            {tool} {count}
          </button>
        ))}
    </span>
  );
}

function Refused({ rows }: { readonly rows: readonly InboxRow[] }) {
  const open = useSignal("");
  const heads = headsOf(["tool", "reason", "layer", "skill", "turn", "at", "explain"]);
  return (
    <DataTable caption={say("tabViolations")} heads={heads}>
      {rows.map((row) => (
        <Fragment key={row.id}>
          <tr>
            <th scope="row">
              <code>{row.tool}</code>
            </th>
            <td class="console-wrap">
              {reason(row)} <code>{row.code}</code>
            </td>
            <td>
              <span class="chip bad">{layer(row.layer)}</span>
            </td>
            <td>{row.skill ? <SkillName id={row.skill} link /> : "–"}</td>
            <td>
              <TurnLink row={row} />
            </td>
            <td>{when(row.at)}</td>
            <td>
              <button
                type="button"
                class="button quiet small"
                aria-expanded={open.value === row.id}
                onClick={() => (open.value = open.value === row.id ? "" : row.id)}
              >
                {say("explain")}
              </button>
            </td>
          </tr>
          {open.value === row.id && (
            <tr class="console-opened">
              <td colSpan={heads.length}>
                <Explained row={row} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </DataTable>
  );
}

/** Asks the gate about the same tool and skill now, layer by layer. */
function Explained({ row }: { readonly row: InboxRow }) {
  const verdict = useSignal<JsonObject | null>(null);
  const error = useSignal<Loaded["error"]>(null);
  useEffect(() => {
    post<GateVerdict>("/api/gate", { tool: row.tool, ...(row.skill ? { skill: row.skill } : {}) }).then(
      (data) => (verdict.value = data),
      (thrown: unknown) => (error.value = errorOf(thrown)),
    );
  }, [row.id]);
  if (error.value) return <Problem error={error.value} />;
  const found = verdict.value;
  if (!found) return <p class="console-note">{say("loading")}</p>;
  const answer = text(found["answer"]);
  const words: Readonly<Record<string, ConsoleWord>> = { allow: "verdictAllow", deny: "verdictDeny", confirm: "verdictConfirm" };
  const word = words[answer];
  return (
    <div class="console-explained">
      <p>
        {say("explainLead")}{" "}
        <span class={`chip ${answer === "deny" ? "bad" : answer === "allow" ? "good" : "warn"}`}>{word ? say(word) : answer}</span>{" "}
        {reason({ ...row, code: text(found["code"]), text: text(found["reason"]) })}
      </p>
      <ul class="console-plain">
        {list(found["layers"])
          .map(object)
          .map((one, at) => (
            <li key={at}>
              <strong>{layer(text(one["layer"]))}</strong> <span class="muted">{sourceName(text(one["source"]))}</span> {noteOf(text(one["text"]))}
            </li>
          ))}
      </ul>
      <p class="console-chips">
        {say("allowed")}
        {texts(found["allowed"]).length === 0 && <span class="chip">{say("none")}</span>}
        {texts(found["allowed"]).map((tool) => (
          <span key={tool} class="chip good">
            {tool}
          </span>
        ))}
      </p>
    </div>
  );
}

function Exceptions({ rows }: { readonly rows: readonly InboxRow[] }) {
  const heads = headsOf(["tool", "state", "reason", "skill", "turn", "at"]);
  const tones: Readonly<Record<string, string>> = { requested: "warn", granted: "good", denied: "bad" };
  return (
    <DataTable caption={say("tabExceptions")} heads={heads}>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <code>{row.tool}</code>
          </th>
          <td>
            <span class={`chip ${tones[row.state] ?? ""}`}>{row.state in tones ? say(`exc_${row.state}` as ConsoleWord) : row.state}</span>
          </td>
          <td class="console-wrap">
            {row.text} {row.note && <span class="muted">({row.note})</span>}
          </td>
          <td>{row.skill ? <SkillName id={row.skill} /> : "–"}</td>
          <td>
            <TurnLink row={row} />
          </td>
          <td>{when(row.at)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function Questions({ rows }: { readonly rows: readonly InboxRow[] }) {
  const heads = headsOf(["question", "toChat", "kind", "tool", "turn", "at"]);
  return (
    <DataTable caption={say("tabPauses")} heads={heads}>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row" class="console-wrap">
            {row.text || "–"}
          </th>
          <td>
            <a href={`/chat/${encodeURIComponent(row.conversation)}`}>{say("answerInChat")}</a>
          </td>
          <td>
            <span class="chip warn">{KINDS.includes(row.code) ? say(`pause_${row.code}` as ConsoleWord) : row.code}</span>
          </td>
          <td>{row.tool ? <code>{row.tool}</code> : "–"}</td>
          <td>
            <TurnLink row={row} />
          </td>
          <td>{when(row.at)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function TurnLink({ row }: { readonly row: InboxRow }) {
  return row.turn ? <a href={addressOf("timeline", row.turn)}>{row.turn.slice(0, 8)}</a> : <>–</>;
}

/** Why a call was refused, in the reader's language where the code is known. */
function reason(row: InboxRow): string {
  return CODES.includes(row.code) ? say(`code_${row.code}` as ConsoleWord, { tool: row.tool, skill: row.skill }) : row.text;
}

/** What a layer says about a tool, in the reader's language where the sentence is known. */
function noteOf(said: string): string {
  const word = NOTES[said];
  return word ? say(word) : said;
}

/** The name of a source without the kind, which the layer says already. */
function sourceName(source: string): string {
  return source.replace(/^(skills?|task type) /, "");
}

function when(at: string): string {
  return at ? shownTime(at) : "–";
}

function layer(name: string): string {
  const known = ["operator", "skill", "plan", "task_type", "default"];
  return known.includes(name) ? say(`layer_${name}` as ConsoleWord) : name;
}
