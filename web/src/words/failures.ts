import { wording, type Sentence } from "./index";

/** What went wrong and what to do, by the code of the error; other errors keep the server's words. */
const sentences = {
  model_key_refused: ["模型服务不接受密钥。请检查密钥设置，或换一个模型。", "The model's service refused the key. Check the key in the settings, or choose another model."],
  model_unavailable: ["模型没有响应。请稍后再试、换一个模型，或确认模型服务是否在运行。", "The model did not answer. Try again later, choose another model, or check whether its service is running."],
  model_not_found: ["没有配置这个模型。请换一个模型。", "This model is not configured. Choose another one."],
  invalid_settings: ["设置有误，详细信息里写着要改什么。", "A setting is not right; the details say what to change."],
  missing_extra: ["缺少这个模型需要的软件包。安装命令见详细信息。", "A package that this model needs is not installed. The details have the command."],
  role_missing: ["你的密钥没有这项权限。请由有相应权限的人操作，或请管理员为你新建密钥。", "Your key does not have the role that this needs. Ask somebody who has it, or have the operator make you a key."],
  self_approval: ["这是用你的密钥提出的，不能由你自己批准。请由另一位审批人批准；你可以撤回（拒绝）。", "This was asked for with your key, so you cannot approve it. Another approver has to; you may withdraw it by rejecting."],
  file_damaged: ["文件已损坏或不完整。请重新打开并保存，或换一份文件。", "The file is damaged or incomplete. Open and save it again, or attach another copy."],
  file_locked: ["文件受密码保护，或是旧版 Office 格式。请另存为不带密码的 docx、xlsx、pptx 或 pdf。", "The file is protected by a password or of an old Office version. Save it without a password as docx, xlsx, pptx or pdf."],
  file_type_refused: ["不支持这种文件，或文件内容与扩展名不符。可以添加：txt、md、csv、json、log、docx、xlsx、pptx、pdf、png、jpg、gif。", "Files of this type are not taken, or the content is not what the ending says. Attach txt, md, csv, json, log, docx, xlsx, pptx, pdf, png, jpg or gif."],
  file_too_complex: ["文件解压后过大，无法读取。请只添加需要的部分。", "The file is too large to read once unpacked. Attach the part you need."],
  context_overflow: ["内容超过了模型的上下文长度。请缩短消息，或换一个上下文更长的模型。", "The prompt is longer than the model's window. Shorten the message, or choose a model with a larger window."],
} as const satisfies Record<string, Sentence>;

const say = wording(sentences);

/** The sentence of an error in the reader's language; null where only the server has words for it. */
export function failureText(code: string): string | null {
  return Object.hasOwn(sentences, code) ? say(code as keyof typeof sentences) : null;
}
