import { useId, useState } from "preact/hooks";
import type { JsonObject } from "../generated/api";
import { sayApproval } from "../words/approval";
import { sayChat } from "../words/chat";
import { useRefusal } from "./approval";
import type { PauseFormProps } from "./pause-form";

/** Whether a refused tool may be used after all, for this turn only. */
export function ExceptionForm({ pause, busy, onAnswer }: PauseFormProps) {
  const [note, setNote] = useState("");
  const id = useId();
  const refusal = useRefusal(pause.id);
  const decide = (decision: "approve" | "reject"): void => {
    const value: JsonObject = { decision };
    if (note.trim()) value["note"] = note.trim();
    onAnswer(value);
  };
  return (
    <>
      <dl class="filled small">
        <div>
          <dt>{sayChat("tool")}</dt>
          <dd>
            <code>{pause.tool}</code>
          </dd>
        </div>
        {pause.reason && (
          <div>
            <dt>{sayChat("reason")}</dt>
            <dd>{pause.reason}</dd>
          </div>
        )}
      </dl>
      <p class="small muted">{refusal ? sayApproval(refusal === "self_approval" ? "needsAnother" : "needsRole") : sayChat("exceptionScope")}</p>
      <div class="field">
        <label class="field-label" for={id}>
          {sayChat("note")} <span class="muted">· {sayChat("optional")}</span>
        </label>
        <input id={id} value={note} maxLength={2000} onInput={(event) => setNote(event.currentTarget.value)} />
      </div>
      <div class="actions">
        <button class="button primary" disabled={busy || Boolean(refusal)} onClick={() => decide("approve")}>
          {sayChat("grant")}
        </button>
        <button class="button danger" disabled={busy} onClick={() => decide("reject")}>
          {sayChat("reject")}
        </button>
      </div>
    </>
  );
}
