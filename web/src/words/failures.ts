import { language } from "../app/language";
import { wording, type Sentence } from "./index";

/** What went wrong and what to do, by the code of the error. */
const sentences = {
  model_key_refused: ["模型服务不接受密钥。请检查密钥设置，或换一个模型。", "The model's service refused the key. Check the key in the settings, or choose another model."],
  model_unavailable: ["模型没有响应。请稍后再试、换一个模型，或确认模型服务是否在运行。", "The model did not answer. Try again later, choose another model, or check whether its service is running."],
  model_not_found: ["没有配置这个模型。请换一个模型。", "This model is not configured. Choose another one."],
  invalid_settings: ["设置有误，详细信息里写着要改什么。", "A setting is not right; the details say what to change."],
  missing_extra: ["缺少这个模型需要的软件包。安装命令见详细信息。", "A package that this model needs is not installed. The details have the command."],
  role_missing: ["你的密钥没有这项权限。请由有相应权限的人操作，或请管理员为你新建密钥。", "Your key does not have the role that this needs. Ask somebody who has it, or have the operator make you a key."],
  self_approval: ["这是用你的密钥提出的，不能由你自己批准。请由另一位审批人批准；你可以撤回（拒绝）。", "This was asked for with your key, so you cannot approve it. Another approver has to; you may withdraw it by rejecting."],
  file_damaged: ["文件已损坏或不完整。请重新打开并保存，或换一份文件。", "The file is damaged or incomplete. Open and save it again, or attach another copy."],
  office_file_refused: ["文件打不开：已损坏、有密码或是旧格式。", "The document cannot be opened: damaged, locked or of an old format."],
  file_locked: ["文件受密码保护，或是旧版 Office 格式。请另存为不带密码的 docx、xlsx、pptx 或 pdf。", "The file is protected by a password or of an old Office version. Save it without a password as docx, xlsx, pptx or pdf."],
  file_type_refused: ["不支持这种文件，或文件内容与扩展名不符。可以添加：txt、md、csv、json、log、docx、xlsx、pptx、pdf、png、jpg、gif。", "Files of this type are not taken, or the content is not what the ending says. Attach txt, md, csv, json, log, docx, xlsx, pptx, pdf, png, jpg or gif."],
  file_too_complex: ["文件解压后过大，无法读取。请只添加需要的部分。", "The file is too large to read once unpacked. Attach the part you need."],
  context_overflow: ["内容超过了模型的上下文长度。请缩短消息，或换一个上下文更长的模型。", "The prompt is longer than the model's window. Shorten the message, or choose a model with a larger window."],
} as const satisfies Record<string, Sentence>;

/** The other errors of the server: its own words say more, but they are English, so that these stand before them. */
const general = {
  failed: ["操作因错误没有完成。", "It ended by an error."],
  usage: ["请求的用法不对，请修改后再试。", "The request itself is wrong; change it and try again."],
  not_found: ["找不到要找的内容。它可能已被删除，或属于别人。", "It is not there. It may be gone, or somebody else's."],
  path_not_found: ["找不到这个文件或文件夹。", "There is no such file or folder."],
  skill_not_found: ["没有加载这个技能。请在技能列表中查找。", "This skill is not loaded. Look for it in the list of skills."],
  tool_not_found: ["没有这个工具。", "There is no such tool."],
  operator_not_found: ["没有这个算子。", "There is no such operator."],
  pack_not_found: ["没有安装这个领域包。", "This pack is not installed."],
  record_not_found: ["这条记录不存在：它已被删除，或属于另一个用户。", "There is no such record: it was deleted, or it belongs to another user."],
  refused: ["规则不允许这样做，再试也不会通过。", "A rule forbids it; trying again does not help."],
  operator_refused: ["输入或参数不适合这个算子，或规则不允许。", "The inputs or parameters do not fit this operator, or a rule forbids it."],
  unauthorized: ["需要密钥，或密钥不正确。请重新输入密钥。", "A key is needed, or the one given is wrong. Enter it again."],
  invalid_input: ["输入的内容不能用，请修改后再试。", "What was sent cannot be used; change it and try again."],
  invalid_skill: ["这个技能目前无法使用，检查结果里写着要改什么。", "The skill cannot be used as it is; its findings say what to change."],
  invalid_tool: ["工具的声明有误，无法使用。", "The tool is declared wrongly and cannot be used."],
  invalid_rules: ["规则文件有误，请修改后再试。", "The rules are wrong; mend them and try again."],
  invalid_pack: ["领域包有误，无法使用。", "The pack is wrong and cannot be used."],
  invalid_record: ["存储的数据有误，无法读取。", "Stored data is damaged and cannot be read."],
  too_large: ["内容过大。请缩短或分成几部分。", "It is too large. Send less, or in parts."],
  too_many_steps: ["规则在这些数据上计算量过大。", "A rule takes too many steps on this data."],
  unavailable: ["所需的服务暂时不可用。请稍后再试。", "Something that is needed is not there. Try again later."],
  embedder_broken: ["向量模型无法工作，语义检索已停用。", "The embedding model does not work; search by meaning is off."],
  sandbox_missing: ["这台机器没有运行脚本的沙箱。", "This machine has no sandbox for the script."],
  store_unavailable: ["数据库无法访问。请稍后再试。", "The database does not answer. Try again in a moment."],
  store_busy: ["数据库正忙。请稍后再试。", "The database is busy. Try again in a moment."],
  store_incompatible: ["数据库的版本与程序不符，请升级。", "The database does not fit this version; upgrade it."],
  storage_full: ["磁盘已满。请先腾出空间，再重试。", "The disk is full. Free some space, then try again."],
  rate_limited: ["请求过于频繁。请稍等片刻。", "Too many requests. Wait a moment."],
  conflict: ["内容已被别人改动。请重新读取后再决定。", "Somebody else changed it first. Read it again, then decide."],
  conversation_busy: ["对话正在处理上一条消息。请等它完成，或先停止它。", "The conversation is still working on a message. Wait for it, or stop it."],
  key_reused: ["同一个请求标识已用于另一个请求。请重新发送。", "The same request id was used for another request. Send it again."],
  lease_lost: ["另一个进程接手了这项工作。请重新加载。", "Another process took over this work. Load it again."],
  already_decided: ["已经有人做出决定。请刷新后查看。", "Somebody has decided already. Load it again to see."],
} as const satisfies Record<string, Sentence>;

const say = wording(sentences);
const sayGeneral = wording(general);

/** The sentence of an error in the reader's language; null where the server's words are the better ones. */
export function failureText(code: string): string | null {
  if (Object.hasOwn(sentences, code)) return say(code as keyof typeof sentences);
  return isGeneral(code) ? sayGeneral(code as keyof typeof general) : null;
}

/** The sentence of an error on one line, with the server's words behind a general one. */
export function failureLine(code: string, message: string): string | null {
  const sentence = failureText(code);
  return sentence !== null && message && isGeneral(code) ? `${sentence}（${message}）` : sentence;
}

/** Whether there is only a general sentence for an error, and the reader does not read English. */
function isGeneral(code: string): boolean {
  return language.value !== "en" && Object.hasOwn(general, code);
}
