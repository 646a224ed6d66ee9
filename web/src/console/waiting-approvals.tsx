import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";

import { errorOf, post } from "../app/api";
import { language, shownTime } from "../app/language";
import { list, object, text, texts } from "../events/read";
import type { JsonObject, WaitingCall } from "../generated/api";
import { JsonView } from "../parts/json-view";
import { choiceOf, chosenRows, findMisfits, PreviewTable, type RowChoice } from "../parts/preview-table";
import { consoleWords as say } from "../words/console";
import { Nothing } from "./frame";
import { Await, Problem, useLoaded, type Loaded } from "./loaded";

/** Calls of everybody that wait for an approver, with the last messages of their conversations. */
export function WaitingApprovals() {
  const loaded = useLoaded(`/api/approvals?language=${language.value}`);
  return (
    <Await what={loaded}>
      {(data) => {
        const waiting = list(data["approvals"]).map(object);
        if (waiting.length === 0) return <Nothing>{say("noApprovals")}</Nothing>;
        return (
          <>
            {waiting.map((one) => (
              <WaitingApproval key={text(object(one["pause"])["pause"])} approval={one} done={loaded.again} />
            ))}
          </>
        );
      }}
    </Await>
  );
}

function WaitingApproval({ approval, done }: { readonly approval: JsonObject; readonly done: () => void }) {
  const error = useSignal<Loaded["error"]>(null);
  const busy = useSignal(false);
  const note = useSignal("");
  const id = useId();
  const pause = object(approval["pause"]);
  const mayAnswer = approval["may_answer"] === true;
  const calls = list(pause["calls"]).map(object);
  const single = calls.length === 1;
  const choices = useSignal<Record<string, RowChoice>>({});
  const shown = text(pause["shown"]);
  const held = Array.isArray(pause["chosen_rows"]) ? texts(pause["chosen_rows"]) : null;
  const choiceFor = (call: WaitingCall): RowChoice => choices.value[call.id] ?? choiceOf(call.preview, held);
  const isMisfit = calls.map((call) => call as unknown as WaitingCall).some((call) => call.preview && findMisfits(call.preview, choiceFor(call)).length > 0);
  const decide = (decision: "approve" | "reject"): void => {
    busy.value = true;
    const said = note.value.trim();
    const only = calls[0] as unknown as WaitingCall | undefined;
    const rows = decision === "approve" && single && only?.preview ? chosenRows(only.preview, choiceFor(only), held !== null) : null;
    post(`/api/approvals/${encodeURIComponent(text(pause["pause"]))}`, { decision, ...(shown ? { shown } : {}), ...(rows ? { rows } : {}), ...(said ? { note: said } : {}) }).then(done, (thrown: unknown) => {
      error.value = errorOf(thrown);
      busy.value = false;
      if (error.value.code !== "approval_changed") return;
      choices.value = {};
      done(); // what it is about now is shown beside the sentence
    });
  };
  return (
    <section class="card console-approval" aria-label={text(pause["text"])}>
      <p>
        <strong>{say("approvalOf", { user: text(approval["owner"]) })}</strong> {text(pause["text"])}{" "}
        <span class="muted small">
          {[text(approval["title"]), text(approval["skill"]), shownTime(text(approval["opened_at"]))].filter(Boolean).join(" · ")}
        </span>
      </p>
      {calls.map((call) => (
          <WaitingCallView
          key={text(call["id"])}
          call={call as unknown as WaitingCall}
          choice={choiceFor(call as unknown as WaitingCall)}
          onChoose={single && mayAnswer ? (choice) => void (choices.value = { ...choices.value, [text(call["id"])]: choice }) : undefined}
        />
      ))}
      {pause["in_doubt"] === true && <p class="small doubt">{say("approvalInDoubt")}</p>}
      <details>
        <summary class="small">{say("approvalSaid")}</summary>
        {list(approval["messages"])
          .map(object)
          .map((one, at) => (
            <p key={at} class="small">
              <strong>{say(text(one["role"]) === "user" ? "saidUser" : "saidAssistant")}</strong> {text(one["content"])}
            </p>
          ))}
      </details>
      {mayAnswer ? (
        <>
          <label class="field-label" for={id}>
            {say("approvalNote")}
          </label>
          <input id={id} maxLength={2000} value={note.value} onInput={(input) => (note.value = input.currentTarget.value)} />
          <div class="actions">
            <button type="button" class="button primary" disabled={busy.value || isMisfit} onClick={() => decide("approve")}>
              {say("approveCall")}
            </button>
            <button type="button" class="button danger" disabled={busy.value} onClick={() => decide("reject")}>
              {say("rejectCall")}
            </button>
          </div>
        </>
      ) : (
        <p class="muted">{say("approvalOwn")}</p>
      )}
      {error.value && <Problem error={error.value} again={done} />}
    </section>
  );
}

function WaitingCallView({ call, choice, onChoose }: { readonly call: WaitingCall; readonly choice: RowChoice; readonly onChoose: ((choice: RowChoice) => void) | undefined }) {
  const details = call.details ?? [];
  return (
    <div class="held-call">
      <strong>{call.title || call.name}</strong>
      {call.preview_problem && <p class="field-error">{call.preview_problem}</p>}
      {call.preview && <PreviewTable preview={call.preview} choice={choice} onChoose={onChoose} />}
      <details open={!call.preview}>
        <summary class="small">{say("approvalDetails")}</summary>
        {call.details ? (
          <dl class="filled small">
            {details.map((one) => (
              <div key={one.title}>
                <dt>{one.title}</dt>
                <dd>{one.value}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <JsonView value={call.args} label={call.name} />
        )}
      </details>
    </div>
  );
}
