import { wording } from "./index";

/** The sentences about the language model: which one there is, and what there is without one. */
export const sayModel = wording({
  title: ["语言模型", "Language model"],
  none: [
    "没有接入语言模型。技能按写好的步骤运行，结果由工具算出。",
    "No language model is connected. Skills run the steps they were written with, and tools compute the results.",
  ],
  some: ["由 {model} 回答；技能的步骤和工具的许可不变。", "{model} answers; the steps of skills and the permissions of tools stay the same."],
  builtin: ["内置（不用模型）", "Built-in (no model)"],
  works: ["没有模型也可以", "Works without a model"],
  worksSteps: ["运行带步骤的技能：分析、仿真、报告", "Skills with steps: analyses, simulations, reports"],
  worksData: ["表格、图表、地图和导出", "Tables, charts, maps and exports"],
  worksAsk: ["补充信息的表单、审批和撤销", "Forms for missing details, approvals and undo"],
  worksFind: ["按消息选择技能，并说明理由", "Choosing the skill for a message, with the reason"],
  adds: ["接入模型后还可以", "A model adds"],
  addsTalk: ["自由对话和追问", "Free conversation and follow-up questions"],
  addsBeyond: ["没有写步骤的技能，以及步骤以外的要求", "Skills without steps, and requests beyond the steps"],
  addsWrite: ["用自己的话总结和解释结果", "Summaries and explanations in its own words"],
  connect: ["接入模型", "Connect a model"],
  connectHow: ["在启动服务的地方设置，然后重新启动。密钥只留在服务器上。", "Set these where the server is started, then start it again. Keys stay on the server."],
  connectCheck: ["在命令行检查：", "Check it on the command line:"],
  command: ["命令", "Command"],
  operatorsTest: ["只有运营人员的密钥可以测试。", "Only an operator's key may run a test."],
});
