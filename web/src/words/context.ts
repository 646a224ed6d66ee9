import { wording, type Sentence } from "./index";

/** Sections of a prompt, and why a piece of one was left out, by the server's names for them. */
const sentences = {
  section_base: ["基本说明", "Base"],
  section_instructions: ["技能说明", "Instructions"],
  section_output: ["输出格式", "Output"],
  section_sop: ["步骤（SOP）", "Steps (SOP)"],
  section_rule_index: ["规则目录", "Index of rules"],
  section_rules: ["规则", "Rules"],
  section_profile: ["用户资料", "Profile"],
  section_cases: ["案例", "Cases"],
  section_documents: ["文档", "Documents"],
  section_history: ["历史消息", "History"],
  section_menu: ["技能菜单", "Menu of skills"],
  section_tools: ["工具", "Tools"],
  section_earlier: ["更早的消息", "Earlier messages"],
  section_examples: ["示例", "Examples"],
  section_note: ["附注", "Note"],
  drop_section_limit: ["超过了这一部分的限额", "Over the limit of its section"],
  drop_total_limit: ["超过了整个提示词的限额", "Over the limit of the whole prompt"],
  drop_gap: ["更重要的一项已放不下，为避免断开而略去", "A piece before it did not fit, and no gap is left"],
  drop_window: ["只显示最近的消息", "Only the last messages are shown"],
  drop_digest: ["结果以摘要显示", "Its result is shown as a digest"],
  drop_shortened: ["内容已缩短", "It was shortened"],
  drop_no_result: ["调用没有结果", "The call has no result"],
  drop_no_call: ["结果没有对应的调用", "The result has no call"],
  drop_twice: ["内容重复", "It is there twice"],
  drop_empty: ["没有内容", "It is empty"],
  drop_role: ["消息的角色无法识别", "The role of the message is not known"],
} as const satisfies Record<string, Sentence>;

const say = wording(sentences);

/** The name of a section in the reader's language; one that a skill brings keeps its own. */
export function sectionName(name: string): string {
  return known(`section_${name}`) ?? name;
}

/** Why a piece was left out, in the reader's language; a code that is not known keeps the server's words. */
export function dropReason(code: string, text: string): string {
  return known(`drop_${code}`) ?? text;
}

function known(key: string): string | null {
  return Object.hasOwn(sentences, key) ? say(key as keyof typeof sentences) : null;
}
