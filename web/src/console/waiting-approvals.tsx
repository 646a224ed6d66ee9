import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";

import { errorOf, post } from "../app/api";
import { shownTime } from "../app/language";
import { list, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";
import { JsonView } from "../parts/json-view";
import { consoleWords as say } from "../words/console";
import { Nothing } from "./frame";
import { Await, Problem, useLoaded, type Loaded } from "./loaded";

/** Calls of everybody that wait for an approver, with the last messages of their conversations. */
export function WaitingApprovals() {
  const loaded = useLoaded("/api/approvals");
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
  const decide = (decision: "approve" | "reject"): void => {
    busy.value = true;
    const said = note.value.trim();
    post(`/api/approvals/${encodeURIComponent(text(pause["pause"]))}`, { decision, ...(said ? { note: said } : {}) }).then(done, (thrown: unknown) => {
      error.value = errorOf(thrown);
      busy.value = false;
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
      {list(pause["calls"])
        .map(object)
        .map((call) => (
          <div key={text(call["id"])}>
            <code>{text(call["name"])}</code>
            <JsonView value={call["args"] ?? {}} label={text(call["name"])} />
          </div>
        ))}
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
            <button type="button" class="button primary" disabled={busy.value} onClick={() => decide("approve")}>
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
