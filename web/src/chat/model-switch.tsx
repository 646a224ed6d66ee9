import { sayChat } from "../words/chat";
import { chooseModel, chosenModel, hasChoice, models, usedModel } from "./model-choice";
import { conversation } from "./session";

/** Which model answers from the next message on, and which one did last, chosen by whom; nothing where there is no choice. */
export function ModelSwitch() {
  if (!hasChoice.value) return null;
  const fallback = models.value.find((one) => one.default)?.name ?? "";
  const used = usedModel(conversation.value?.turns.findLast((turn) => usedModel(turn) !== null));
  const why = used ? sayChat("modelUsed", { name: used.name, why: used.insteadOf ? sayChat("modelInstead", { name: used.insteadOf }) : sayChat(`modelBy_${used.by}`) }) : sayChat("modelNext");
  const changed = (event: Event): void => {
    const name = (event.currentTarget as HTMLSelectElement).value;
    void chooseModel(conversation.value?.id ?? null, name || null);
  };
  return (
    <span class="model-switch" title={why}>
      <select class="small" aria-label={sayChat("model")} aria-describedby="model-why" value={chosenModel.value ?? ""} onChange={changed}>
        <option value="">{sayChat("modelDefault", { name: fallback })}</option>
        {models.value.map((one) => (
          <option key={one.name} value={one.name}>
            {one.name}
          </option>
        ))}
        {chosenModel.value !== null && !models.value.some((one) => one.name === chosenModel.value) && (
          <option value={chosenModel.value}>{sayChat("modelGone", { name: chosenModel.value })}</option>
        )}
      </select>
      <span class="visually-hidden" id="model-why">
        {why}
      </span>
    </span>
  );
}
