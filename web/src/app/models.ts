import { computed, signal } from "@preact/signals";
import type { ModelInfo, ModelList } from "../generated/api";
import { get } from "./api";

/** The configured models, once they are read. */
export const models = signal<readonly ModelInfo[]>([]);
/** The model that answers unless another is chosen; null while nobody knows. */
export const defaultModel = computed(() => models.value.find((one) => one.default) ?? models.value[0] ?? null);
/** Whether only the built-in fallback answers: skills run by their steps, nobody converses. */
export const withoutModel = computed(() => defaultModel.value?.model === "builtin");

/** Read the configured models; without them there is no switch, and the chat works as before. */
export async function loadModels(): Promise<void> {
  try {
    models.value = (await get<ModelList>("/api/models")).models;
  } catch {
    models.value = [];
  }
}
