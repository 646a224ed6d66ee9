import { wording } from "./index";

/** The sentences of approvals, loaded with the first question. */
export const sayApproval = wording({
  outOfRange: ["{row}：{column}须在 {low} 到 {high} 之间，现为 {value}。", "{row}: {column} must be from {low} to {high}, not {value}."],
  inDoubt: ["之后说的一句话没有听懂，什么都没有执行。按钮只执行表中打勾的行，批准前请核对。", "Something said since was not understood, and nothing was done. The button does just the rows that are ticked here: check them before you approve."],
  inDoubtWhole: ["之后说的一句话没有听懂，什么都没有执行。批准前请再核对一遍。", "Something said since was not understood, and nothing was done. Check this again before you approve."],
  needsRole: ["批准需要审批人权限，你的密钥没有。请审批人在「控制台 › 违规与审批 › 待审批」中处理；你可以拒绝（撤回）。", "Only an approver may approve this, and your key has not that role. An approver finds it in Console › Violations › Approvals; you may withdraw it by rejecting."],
  needsAnother: ["这是用你的密钥提出的，须由另一位审批人在「控制台 › 违规与审批 › 待审批」中批准；你可以拒绝（撤回）。", "You asked for this, so another approver has to approve it, in Console › Violations › Approvals; you may withdraw it by rejecting."],
});
