import { useSignal } from "@preact/signals";

import { errorOf, get } from "../app/api";
import { shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import type { FeedbackInfo, FeedbackList, RoutingCaseInfo } from "../generated/api";
import { saveAs } from "../parts/copy";
import { Icon } from "../parts/icon";
import { consoleWords as say } from "../words/console";
import { sayFigures } from "../words/figures";
import { sayShare } from "../words/share";
import { Choice, DataTable, Nothing, PageHead } from "./frame";
import { Await, Problem, useLoaded, type Loaded } from "./loaded";
import { addressOf } from "./pages";
import { SkillName } from "./skill-name";

const FILTERS = ["all", "down", "up"] as const;

/** Ratings of answers, and the way from one to a routing case of the skill's evals. */
export function Feedback() {
  const asked = place.value.query.get("verdict");
  const verdict = asked === "up" || asked === "down" ? asked : "all";
  const loaded = useLoaded(verdict === "all" ? "/api/feedback" : `/api/feedback?verdict=${verdict}`);
  return (
    <>
      <PageHead title={say("feedback")} lead={say("feedbackLead")}>
        <Choice
          label={sayFigures("verdict")}
          options={FILTERS.map((value) => ({ value, text: sayFigures(`verdict_${value}`) }))}
          value={verdict}
          onPick={(value) => setQuery({ verdict: value === "all" ? null : value })}
        />
      </PageHead>
      <Await what={loaded}>{(data) => <Ratings rows={(data as unknown as FeedbackList).feedback} />}</Await>
    </>
  );
}

function Ratings({ rows }: { readonly rows: readonly FeedbackInfo[] }) {
  const error = useSignal<Loaded["error"]>(null);
  if (rows.length === 0) return <Nothing>{sayFigures("noFeedback")}</Nothing>;
  const save = async (row: FeedbackInfo): Promise<void> => {
    try {
      const made = await get<RoutingCaseInfo>(`/api/feedback/${encodeURIComponent(row.id)}/case`);
      saveAs(made.file.split("/").at(-1) ?? "case.json", new Blob([`${JSON.stringify(made.queries, null, 2)}\n`], { type: "application/json" }));
      error.value = null;
    } catch (thrown) {
      error.value = errorOf(thrown);
    }
  };
  const heads = ["message", "verdict", "reason", "case", "skill", "at", "user", "turn"] as const;
  return (
    <>
      {error.value && <Problem error={error.value} />}
      <DataTable caption={say("feedback")} heads={heads.map((word) => ({ text: sayFigures(`head_${word}`) }))}>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" class="console-wrap">
              {row.message || "–"}
            </th>
            <td>
              <span class={`chip ${row.verdict === "up" ? "good" : "bad"}`}>
                <Icon name={row.verdict === "up" ? "thumbUp" : "thumbDown"} size={14} /> {sayFigures(`verdict_${row.verdict}`)}
              </span>
            </td>
            <td class="console-wrap">
              {row.reason ? sayShare(`reason_${row.reason}`) : "–"} {row.note && <span class="muted">({row.note})</span>}
            </td>
            <td>
              {row.skill && row.message ? (
                <button type="button" class="button small" title={sayFigures("caseTitle", { skill: row.skill })} onClick={() => void save(row)}>
                  <Icon name="download" size={14} /> {sayFigures("makeCase")}
                </button>
              ) : (
                "–"
              )}
            </td>
            <td>{row.skill ? <SkillName id={row.skill} link /> : "–"}</td>
            <td>{shownTime(row.at)}</td>
            <td>{row.user}</td>
            <td>
              <a href={addressOf("timeline", row.turn)}>{row.turn.slice(0, 8)}</a>
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
