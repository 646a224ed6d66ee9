import { sayChat } from "../words/chat";

const TASK_TYPES = ["research", "creation", "data_processing", "web_task", "code_development"] as const;

/** Title of a task type; one of the installation's own keeps its name. */
export function taskTypeTitle(name: string): string {
  const known = TASK_TYPES.find((one) => one === name);
  return known ? sayChat(`type_${known}`) : name;
}
