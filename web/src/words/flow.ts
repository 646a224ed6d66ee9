import { wording } from ".";

/** The sentences of deep runs. */
export const flowWords = wording({
  title: ["分析图", "Analysis graph"],
  round: ["第 {round} 轮", "Round {round}"],
  all: ["全部", "All"],
  goals: ["目标", "Goals"],
  kept: ["保留", "Kept"],
  findings: ["发现", "Findings"],
  report: ["证据充分，生成报告", "Evidence suffices: report"],
  patch: ["补充分析", "Add to it"],
  replan: ["重新规划", "Plan again"],
  halt: ["停止并报告", "Stop and report"],
  counts: ["{nodes} 个节点，{failed} 个失败", "{nodes} nodes, {failed} failed"],
  made: ["由 {names} 得到", "made of {names}"],
  input: ["输入数据", "input data"],
  params: ["参数", "Parameters"],
  values: ["数值", "Values"],
  notes: ["说明", "Notes"],
  shape: ["形状", "Shape"],
  cached: ["用了已算好的结果", "computed before, used again"],
  failed: ["失败", "failed"],
  help: ["点击节点查看数值和曲线", "Click a node for its values and a plot"],
  plot: ["{title} 的曲线", "Plot of {title}"],
  close: ["关闭", "Close"],
});
