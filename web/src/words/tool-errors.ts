import type { Sentence } from ".";

/** Why a call came to nothing, by the code of its error; the tool's own words beside it are English. */
export const toolErrorSentences = {
  invalid_arguments: ["参数不符合工具的要求", "The arguments do not fit the tool"],
  invalid_result: ["工具返回的内容不能用", "The tool's result cannot be used"],
  result_not_json: ["工具返回的内容不是 JSON", "The tool's result is not JSON"],
  result_too_large: ["工具返回的内容过大", "The tool's result is too large"],
  timed_out: ["工具超过了时限", "The tool took too long"],
  out_of_memory: ["工具用完了允许的内存", "The tool used up its memory"],
  workspace_full: ["这个对话的文件空间已满", "The conversation's folder is full"],
  tool_failed: ["工具运行出错", "The tool failed"],
  tool_crashed: ["工具意外中止", "The tool crashed"],
  tool_changed: ["工具已被改动，需要重新批准", "The tool was changed and waits for approval"],
  tool_gone: ["工具已不存在", "The tool is gone"],
  script_failed: ["脚本运行出错", "The script failed"],
  script_crashed: ["脚本意外中止", "The script crashed"],
  script_missing: ["缺少这个工具的脚本", "The tool's script is missing"],
  script_unapproved: ["脚本还没有得到批准", "The script is not approved yet"],
  exception_denied: ["破例没有得到同意", "The exception was denied"],
  mcp_bad_answer: ["MCP 服务的回答不能用", "The MCP server's answer cannot be used"],
  mcp_server_down: ["MCP 服务没有响应", "The MCP server does not answer"],
  other: ["工具没有完成这次调用", "The tool did not complete the call"],
} as const satisfies Record<string, Sentence>;
