import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sayApp } from "../words/app";
import { later } from "./later";
import { defaultModel, loadModels, withoutModel } from "./models";

const shown = signal(false);
const ModelDialog = later<{ onClose: () => void }>(() => import("../console/model-dialog").then((room) => room.ModelDialog));

/** Open the dialog on the model: which one answers, a test, and how to connect one. */
export function openModelDialog(): void {
  shown.value = true;
}

/** Which model answers, as a button that says more. */
export function ModelStatus() {
  useEffect(() => {
    if (defaultModel.value === null) void loadModels();
  }, []);
  const model = defaultModel.value;
  if (!model) return null;
  const name = withoutModel.value ? sayApp("noModel") : model.name === "default" ? model.model : model.name;
  return (
    <button class="model-status" title={sayApp("modelStatus")} onClick={openModelDialog}>
      <span class={`state-dot${withoutModel.value ? "" : " on"}`} aria-hidden="true" />
      <span class="visually-hidden">{sayApp("modelStatus")}: </span>
      <span class="model-status-name">{name}</span>
    </button>
  );
}

/** The dialog itself; once per page. */
export function ModelDialogPlace() {
  return shown.value ? <ModelDialog onClose={() => (shown.value = false)} /> : null;
}
