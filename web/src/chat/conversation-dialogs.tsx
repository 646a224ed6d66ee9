import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog";
import { sayChat } from "../words/chat";
import type { Listed } from "./conversations";

/** Asks for the new title of a conversation. */
export function RenameDialog({ one, onClose, onDone }: { one: Listed; onClose: () => void; onDone: (title: string) => void }) {
  const [title, setTitle] = useState(one.title ?? "");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (title.trim()) onDone(title.trim());
    onClose();
  };
  return (
    <Dialog title={sayChat("rename")} onClose={onClose}>
      <form class="dialog-body" onSubmit={submit}>
        <label class="field">
          <span class="field-label">{sayChat("title")}</span>
          <input value={title} maxLength={200} autofocus onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <div class="actions">
          <button class="button primary">{sayChat("save")}</button>
          <button type="button" class="button quiet" onClick={onClose}>
            {sayChat("cancel")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface DeleteDialogProps {
  one: Listed;
  onClose: () => void;
  onDone: () => void;
  onExport: () => void;
}

/** Asks before a conversation is deleted, and offers to export it first. */
export function DeleteDialog({ one, onClose, onDone, onExport }: DeleteDialogProps) {
  return (
    <Dialog title={sayChat("deleteTitle")} onClose={onClose}>
      <p>{sayChat("deleteText", { title: one.title || sayChat("untitled") })}</p>
      <div class="actions">
        <button class="button danger" onClick={() => (onDone(), onClose())}>
          {sayChat("delete")}
        </button>
        <button class="button" onClick={onExport}>
          {sayChat("exportAll")}
        </button>
        <button class="button quiet" onClick={onClose}>
          {sayChat("cancel")}
        </button>
      </div>
    </Dialog>
  );
}
