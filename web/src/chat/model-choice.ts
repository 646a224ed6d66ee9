import { computed, signal } from "@preact/signals";
import { loadModels, models } from "../app/models";
import { problemText } from "../app/problem";
import { text } from "../events/read";
import type { Conversation } from "../events/state";
import { readModel, switchModel } from "./conversations";
import { problem } from "./session";

export { loadModels, models };
/** The model that the conversation on the screen, or the next new one, was switched to; null leaves the choice to the server. */
export const chosenModel = signal<string | null>(null);
/** Whether there is anything to choose. */
export const hasChoice = computed(() => models.value.length > 1);

/** Who chose the model of a call, as the server says it. */
export const CHOOSERS = ["request", "conversation", "skill", "stage", "default"] as const;

/** Which model the last call went to, and who chose it. */
export interface UsedModel {
  readonly name: string;
  readonly by: (typeof CHOOSERS)[number];
  readonly insteadOf?: string;
}

let asked = 0;
let saving: Promise<void> = Promise.resolve();

/** Show the choice of this conversation; the last one asked for counts. Null is a conversation that is still to begin. */
export async function showChoice(id: string | null): Promise<void> {
  const mine = ++asked;
  if (id === null) chosenModel.value = null;
  if (id === null || !hasChoice.value) return;
  await saving;
  try {
    const found = await readModel(id);
    if (mine === asked) chosenModel.value = found;
  } catch {
    if (mine === asked) chosenModel.value = null; // the thread says what is wrong with this conversation
  }
}

/** Switch to a model, from the next message on; null leaves the choice to the server. Undone if the server refuses. */
export async function chooseModel(id: string | null, name: string | null): Promise<void> {
  const before = chosenModel.value;
  const mine = ++asked;
  chosenModel.value = name;
  if (id === null) return;
  const work = switchModel(id, name);
  saving = work.catch(() => undefined);
  try {
    await work;
  } catch (thrown) {
    problem.value = problemText(thrown);
    if (mine === asked) chosenModel.value = before;
  }
}

/** A choice made before the conversation began stays with it. */
export function keepChoice(id: string): void {
  if (chosenModel.value !== null) void chooseModel(id, chosenModel.value);
}

/** The model of the last call of a turn; null if none was called. */
export function usedModel(turn: Conversation["turns"][number] | undefined): UsedModel | null {
  const name = text(turn?.usage?.["name"]);
  const by = CHOOSERS.find((one) => one === turn?.usage?.["chosen_by"]);
  if (!name || !by) return null;
  const other = turn?.usage?.["fallback"] === true ? text(turn.usage["model"]) : "";
  return other ? { name: other, by, insteadOf: name } : { name, by };
}
