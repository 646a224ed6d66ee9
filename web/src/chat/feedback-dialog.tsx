import { useState } from "preact/hooks";
import { problemText } from "../app/problem";
import { Dialog } from "../parts/dialog";
import { sayShare } from "../words/share";
import { asksReason, giveReason, REASONS } from "./feedback";

/** Asks why an answer is bad; the thumb itself is stored already. */
export function FeedbackDialog({ turn }: { turn: string }) {
  const [reason, setReason] = useState<(typeof REASONS)[number]>("wrong_result");
  const [note, setNote] = useState("");
  const [problem, setProblem] = useState("");
  const close = (): void => {
    asksReason.value = null;
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    giveReason(turn, reason, note.trim()).then(close, (thrown: unknown) => setProblem(problemText(thrown)));
  };
  return (
    <Dialog title={sayShare("whyBad")} onClose={close}>
      <form class="dialog-body" onSubmit={submit}>
        <fieldset class="reasons">
          <legend class="visually-hidden">{sayShare("reason")}</legend>
          {REASONS.map((one) => (
            <label key={one}>
              <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} /> {sayShare(`reason_${one}`)}
            </label>
          ))}
        </fieldset>
        <label class="field">
          <span class="field-label">{sayShare("note")}</span>
          <textarea rows={3} maxLength={2000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
        {problem && (
          <p class="field-error" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <button class="button primary">{sayShare("sendReason")}</button>
          <button type="button" class="button quiet" onClick={close}>
            {sayShare("skip")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
