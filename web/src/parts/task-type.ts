import { sayChat } from "../words/chat";

const TASK_TYPES: Record<string, "type_research" | "type_creation" | "type_data_processing" | "type_web_task" | "type_code_development"> = {
  research: "type_research",
  creation: "type_creation",
  data_processing: "type_data_processing",
  web_task: "type_web_task",
  code_development: "type_code_development",
};

/** Title of a task type; one of the installation's own keeps its name. */
export function taskTypeTitle(name: string): string {
  const word = TASK_TYPES[name];
  return word ? sayChat(word) : name;
}
