import "../styles/console.css";
import { Dialog } from "../parts/dialog";
import { sayModel } from "../words/model";
import { ModelList } from "./models";
import { ModelSetup } from "./model-setup";

/** Which model answers, a test of it, and what there is without one. */
export function ModelDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={sayModel("title")} onClose={onClose} wide>
      <ModelSetup />
      <ModelList />
    </Dialog>
  );
}
