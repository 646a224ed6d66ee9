import { wording } from "./index";

/** The sentences that say why a skill was chosen; they come with the first question for it. */
export const sayWhy = wording({
  whySure: ["技能选择有把握：这条消息最符合这个技能。", "The choice is sure: this skill fits the message best."],
  whyPack: ["技能包认得这条消息是它的工作。", "The pack knows this message as work of its own."],
  whyNamed: ["你点名要用它。", "You named it."],
  whyCaller: ["你为这条消息选了它。", "You picked it for this message."],
  whyChosen: ["你选了它。", "You chose it."],
  whyModel: ["模型选了它。", "The model chose it."],
  taskTypes: ["任务类型：{types}", "Task type: {types}"],
  routedIn: ["用时 {time}", "Decided in {time}"],
  withWords: ["{text}：{words}", "{text}: {words}"],
});
