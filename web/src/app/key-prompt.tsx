import { useEffect, useRef } from "preact/hooks";
import { sayApp } from "../words/app";
import { giveKey, keyNeeded, keyRefused } from "./api";

/** Asks for the access key when the server wants one; the calls that wait go on with it. */
export function KeyPrompt() {
  return keyNeeded.value ? <KeyDialog /> : null;
}

function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("key") as HTMLInputElement;
    if (field.value.trim()) giveKey(field.value.trim());
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="key-title" onCancel={(event) => event.preventDefault()}>
      <form onSubmit={submit}>
        <h2 id="key-title">{sayApp("keyTitle")}</h2>
        <p class="muted">{sayApp("keyText")}</p>
        <label class="field">
          <span class="field-label">{sayApp("key")}</span>
          <input name="key" type="password" autocomplete="off" required aria-invalid={keyRefused.value} />
        </label>
        {keyRefused.value && (
          <p class="field-error" role="alert">
            {sayApp("keyWrong")}
          </p>
        )}
        <div class="actions">
          <button class="button primary">{sayApp("keyGo")}</button>
        </div>
      </form>
    </dialog>
  );
}
