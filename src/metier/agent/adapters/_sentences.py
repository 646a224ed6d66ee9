"""Fixed sentences of the runtime, in English and Chinese."""

from collections.abc import Sequence
from typing import Final

from metier.language import Language, Sentences, join_names

_SENTENCES: Final = Sentences(
    {
        "left": ("I have left the skill {title}.", "已退出技能「{title}」。"),
        "trial_over": (
            "Your {count} free uses of {title} are used up. Everything that is free goes on as before; "
            "your data can be seen and exported.",
            "「{title}」的 {count} 次免费试用已经用完；免费的功能照常可用，你的资料随时可以查看和导出。",
        ),
        "nothing_to_leave": ("No skill is in use.", "当前没有启用的技能。"),
        "skills": ("These skills can be used:\n{skills}", "可以使用的技能：\n{skills}"),
        "packs": ("This is what can be done here:\n{packs}", "这里可以做这些事：\n{packs}"),
        "pack_described": ("- {title}: {description}", "- {title}：{description}"),
        "pack_with_example": (
            "- {title}: {description} For example: “{example}”",
            "- {title}：{description}例如「{example}」",
        ),
        "more_skills": (
            "There are {total} skills. Type / to see them all.",
            "共有 {total} 项技能，输入 / 可查看全部。",
        ),
        "no_skills": ("No skill is in use here.", "当前没有启用任何技能。"),
        "which_skill": ("Which of these do you mean?", "你指的是哪一项？"),
        "none_chosen": (
            "All right, none of these. Say it in other words, or begin with a skill.",
            "好的，都不是。请换一种说法，或直接选一个技能。",
        ),
        "default_way": ("None of these", "都不是"),
        "not_this": ("No", "不用"),
        "approve": ("Do you approve this step: {tools}?", "是否批准执行：{tools}？"),
        "approve_lasts": (
            "It runs in the sandbox, without network; your approval holds for all of this conversation.",
            "代码在沙箱里运行，不联网；同意之后，本次对话内不再询问。",
        ),
        "approve_changed": (
            "What was approved has changed: the arguments, the script or the tool. Do you approve it as it is now: "
            "{tools}?",
            "同意之后内容有变化（参数、脚本或工具说明）。是否按现在的内容批准：{tools}？",
        ),
        "preview_failed": (
            "What it would do cannot be shown ({why}). Approve only if you know it otherwise.",
            "无法预览具体变更（{why}）。请在另行确认内容后再批准。",
        ),
        "receipt_local": ("Done: {title}", "回执：{title}"),
        "receipt": ("Done: {title} (approved by {by})", "回执：{title}（批准人：{by}）"),
        "exception": (
            "The skill does not allow {tool!r}. Allow it for this turn? Reason given: {reason}",
            "当前技能不允许使用 {tool!r}。本轮破例允许吗？理由：{reason}",
        ),
        "fill": ("To go on with {title!r} I need: {names}.", "继续「{title}」还需要：{names}。"),
        "outcome": (
            "“{tool}” was interrupted while it ran, and nobody knows whether it took effect. What now?",
            "执行「{tool}」时中断了，无法确定是否已经生效。接下来怎么办？",
        ),
        "outcome_retry": ("Run it again", "再执行一次"),
        "outcome_done": ("It took effect, go on", "已经生效，继续"),
        "outcome_skip": ("It did not; go on without it", "没有生效，跳过"),
        "halted": ("Stopped. What had come by then is kept.", "已停止，已有的内容保留。"),
        "halted_plan": (
            "Stopped. What had come by then is kept; say “go on” to take it up again.",
            "已停止，已有的内容保留；说「继续」可以接着做。",
        ),
        "halted_tasks": (
            "Stopped. Not done: {titles}. Say “go on” to take it up again.",
            "已停止。没有完成：{titles}。说「继续」可以接着做。",
        ),
        "which_tasks": (
            "The message asks for {count} things. Which shall I do, and in which order?",
            "这条消息提出了 {count} 件事。要做哪些，按什么顺序？",
        ),
        "task_failed": ("it did not come to its end", "没有做完"),
        "task_skipped": ("“{title}” before it was not done", "前面的「{title}」没有做完"),
        "tasks_skipped": (
            "“{title}” did not come to its end, so this was not begun: {titles}.",
            "「{title}」没有做完，因此没有开始：{titles}。",
        ),
        "task_dropped": ("Not done, as you asked.", "已按你的要求不做。"),
        "task_fits_no_skill": (
            'No skill fits "{text}", so this part was not done.',
            "没有技能适合「{text}」，这部分没有做。",
        ),
        "task_without_skill": (
            'No skill fits "{text}"; it is answered without one.',
            "没有技能适合「{text}」，不用技能直接回答。",
        ),
        "task_unavailable": ("“{title}” was not done: {why}.", "「{title}」没有做：{why}。"),
        "task_unknown": ("No skill is called “{name}”; that was not done.", "没有名为「{name}」的技能，这部分没有做。"),
        "skill_off": ("it is switched off", "它已停用"),
        "skill_not_by_name": ("it cannot be started by name", "它不能点名启用"),
        "path_gap": ("“{source}” does not lead to “{target}”.", "「{source}」之后不能接「{target}」。"),
        "path_types": (
            "What “{source}” gives does not fit what “{target}” takes.",
            "「{source}」给出的内容与「{target}」需要的类型不一致。",
        ),
        "skill_waits": ("this version of the skill waits for approval", "这个版本的技能还没有得到批准"),
        "go_on": ("Go on", "继续"),
        "dismissed": ("All right, nothing more is done.", "好的，不做了。"),
        "nothing_to_undo": (
            "Nothing has been changed in this conversation, so there is nothing to undo.",
            "本次对话没有做过改动，没有可以撤销的内容。",
        ),
        "call_stopped": ("Tool {tool!r} was stopped; it has no result.", "工具 {tool!r} 已停止，没有结果。"),
        "call_goes_on": (
            "Tool {tool!r} was stopped while it ran: it may still take effect. It may be called again.",
            "工具 {tool!r} 在执行中被停止，仍可能生效。可以再次调用。",
        ),
        "call_unknown": (
            "Tool {tool!r} was stopped while it ran, and nobody knows whether it took effect. "
            "Do not call it again before the user says so.",
            "工具 {tool!r} 在执行中被停止，无法确定是否已经生效。用户同意之前不要再次调用。",
        ),
        "step_unknown": (
            "stopped in the step {step!r}; whether it took effect is not known",
            "在步骤「{step}」中停止，无法确定它是否已经生效",
        ),
        "unconfirmed": (
            "Tool {tool!r} was not run: a person must agree first, and nobody can be asked here.",
            "工具 {tool!r} 没有执行：需要先得到人的同意，而这里没有人可以询问。",
        ),
        "rejected": ("Tool {tool!r} was not approved and did not run.", "工具 {tool!r} 未获批准，没有执行。"),
        "rejected_with_note": (
            "Tool {tool!r} was not approved and did not run: {note}",
            "工具 {tool!r} 未获批准，没有执行：{note}",
        ),
        "too_many_refusals": (
            "I stopped: {count} tool calls of this turn were refused. Allowed tools: {allowed}.",
            "本轮已停止：{count} 次工具调用被拒绝。可以使用的工具：{allowed}。",
        ),
        "too_many_refusals_of_tools": (
            "I stopped: {count} tool calls of this turn were refused ({tried}). Allowed tools: {allowed}.",
            "本轮已停止：{count} 次工具调用被拒绝（{tried}）。可以使用的工具：{allowed}。",
        ),
        "limit_reached": (
            "I stopped here: this turn may use {most} {what} and has used {used}. What was found so far is kept.",
            "本轮已停止：{what}达到上限（已用 {used}，上限 {most}）。已有的结果仍然保留。",
        ),
        "limit_steps": ("tool calls", "工具调用次数"),
        "limit_model_calls": ("model calls", "模型调用次数"),
        "limit_tokens": ("tokens", "token 数"),
        "limit_wall_s": ("seconds", "秒数"),
        "limit_cost": ("cost", "费用"),
        "no_names": ("none", "无"),
        "again": (
            "This does not answer the open question, and no skill was found for it. {text}",
            "这不是对当前问题的回答，也没有找到能处理它的技能。{text}",
        ),
        "quoted": ("“{text}”", "「{text}」"),
        "one_of": ("Please answer with one of: {choices}", "请从中选择：{choices}"),
        "too_many_steps": (
            "I stopped after {steps} steps; this is more than one turn may take.",
            "已停止：本轮超过了 {steps} 步的上限。",
        ),
        "ended_early": (
            "I stopped here: a rule of this installation ended the turn. {reason}",
            "已在此停止：本系统的一条规则结束了本轮。{reason}",
        ),
        "empty_answer": ("The model gave no answer.", "模型没有给出回答。"),
        "cut": ("[cut: {chars} characters in all]", "[已截断，原文共 {chars} 字符]"),
        "thanks": ("You are welcome.", "不客气，有需要随时说。"),
        "farewell": (
            "Goodbye. This conversation is kept; it can be taken up again at any time.",
            "再见。这段对话会保留，随时可以接着说。",
        ),
        "greeting": (
            "Hello! I work by the steps of skills; there is no language model here to talk freely with.",
            "你好！我按技能的步骤办事；现在没有接入语言模型，不能自由聊天。",
        ),
        "no_model": (
            "I work without a language model, so I can run the steps of a skill but not talk freely or write texts for "
            "you. Who runs this installation can connect a model (METIER_MODEL).",
            "当前没有接入语言模型，我可以按技能的步骤办事，但不能自由对话，也不能代写文字。需要时请管理员接入模型（METIER_MODEL）。",
        ),
        "no_steps": (
            "The skill {title!r} has no steps that can run without a language model. Set METIER_MODEL to use it.",
            "技能「{title}」没有可直接执行的步骤，需要语言模型。请设置 METIER_MODEL。",
        ),
        "step_needs_model": ("the step {title!r} needs a language model", "步骤「{title}」需要语言模型"),
        "stopped": ("{goal}: stopped. {why}", "{goal}：已停止。{why}"),
        "finished": ("{goal}: done.", "{goal}：已完成。"),
        "said_above": ("The answer stands above.", "回答见上文。"),
        "ended_by_no": ("{goal}: nothing more was done.", "{goal}：没有再做别的。"),
        "nothing_done": (
            "{goal}: there was nothing to work on, and nothing was changed.",
            "{goal}：没有找到可以处理的内容，没有做任何改动。",
        ),
        "read_as": ("Read as: “{message}”", "按「{message}」处理。"),
        "seen_above": ("See above: {what}.", "见上方{what}。"),
        "steps_done": ("Done so far: {steps}.", "已完成：{steps}。"),
        "declined": ("I would rather not say.", "我不想提供这些信息。"),
        "need_data": ("For {title!r} I need to know: {names}.", "使用「{title}」需要知道：{names}。"),
        "form_declined": (
            "{title!r} cannot begin without this; ask again whenever you like.",
            "没有这些信息就不能开始「{title}」，想好了随时再说。",
        ),
        "cancelled": ("the user cancelled", "用户取消了"),
        "unknown_rule": ("There is no rule {rule!r}. Rules: {rules}.", "没有规则 {rule!r}。可用规则：{rules}。"),
        "note_report": (
            "Answer the user's question now, from the report and the results above.",
            "请根据以上报告和结果，回答用户的问题。",
        ),
        "note_stopped": (
            "The plan stopped: {why} Tell the user what was done, what was not, and what they can do.",
            "计划已停止：{why} 请告诉用户已完成什么、哪里没有完成、可以怎么办。",
        ),
        "report_replaced": (
            "(This report was made from the results: the model's own had figures that are not in them.)",
            "（以上报告由系统根据结果生成：模型写的回答里有结果中没有的数字，未采用。）",
        ),
        "report_mixed": (
            "(This report was made from the results: the model's own gave figures of one finding to another.)",
            "（以上报告由系统根据结果生成：模型写的回答把一项发现的数字写给了另一项，未采用。）",
        ),
        "report_unwritten": (
            "(This report was made from the results: the model wrote none, or not to its end.)",
            "（以上报告由系统根据结果生成：模型没有写出完整的报告。）",
        ),
        "numbers_unknown": (
            "The model's report had figures that are not in the results: {numbers}.",
            "模型写的报告里有结果中没有的数字：{numbers}。",
        ),
        "unknown_call": (
            "There is no stored result of a call {call!r} in this conversation.",
            "本会话中没有调用 {call!r} 的结果。",
        ),
        "note_act": (
            "Do this step now, and only this one: {title}. Say its result when it is done.",
            "现在只做这一步：{title}。完成后说出结果。",
        ),
        "note_fill": (
            "Call {tool} for the step {title}. These arguments are still missing: {missing}. "
            "Known already: {known}. Take them from what the user said; if it is not said, ask the user.",
            "请为步骤「{title}」调用 {tool}。还缺少参数：{missing}。已知：{known}。"
            "从用户的话里找；没有说过的，请直接问用户。",
        ),
        "note_replan": (
            "The plan must change: {why} Write a new plan with write_plan.",
            "计划需要修改：{why} 请用 write_plan 写出新计划。",
        ),
        "note_plan_wrong": ("That plan cannot be used: {problems}", "这个计划不能用：{problems}"),
        "note_task": (
            "You do one piece of work for another agent, which reads nothing but your answer. Nobody can be asked. "
            "Answer with the result.",
            "你为另一个智能体完成一项工作，它只会看到你的回答。无法向任何人提问。请直接给出结果。",
        ),
        "no_delegates": (
            "There is no tool 'task' here: the skill in use hands no work over.",
            "当前技能不能交办任务，没有 task 工具。",
        ),
        "note_empty": (
            "Your last reply was empty. Answer the user, or call a tool.",
            "上一条回复是空的。请回答用户，或调用工具。",
        ),
        "note_broken_call": (
            "Your last tool call could not be read ({why}). Send it again with arguments that are one JSON object.",
            "上一次工具调用无法解析（{why}）。请重新发送，参数必须是一个 JSON 对象。",
        ),
        "document_open": (
            'The user has a document open: {chars} characters, beginning with "{begin}".',
            "用户打开了一份文档：共 {chars} 字符，开头是“{begin}”。",
        ),
        "document_outline": (
            "The document has {chars} characters in {sections} sections (number, title, characters). "
            "Sections that do not follow below are read with read_document(section).",
            "文档共 {chars} 字符，分 {sections} 节（编号、标题、字符数）。"
            "下面没有给出的章节用 read_document(section) 读取。",
        ),
        "unknown_section": (
            "The document has no section {section!r}; it has:\n{outline}",
            "文档里没有「{section}」这一节，现有：\n{outline}",
        ),
        "no_document": ("No document is open.", "当前没有打开的文档。"),
        "note_contract": (
            "Your last answer breaks what the skill asks of an answer: {why} Write the whole answer again.",
            "上一条回答不符合技能对输出的要求：{why}请重新给出完整的回答。",
        ),
        "contract_markers": ("It lacks {markers}.", "缺少 {markers}。"),
        "contract_schema": (
            'It holds no JSON object with "schema_version": "{schema}".',
            '其中没有 "schema_version": "{schema}" 的 JSON 对象。',
        ),
        "contract_json": ("It holds no JSON.", "其中没有 JSON。"),
        "contract_shape": ("Its JSON does not fit the schema: {why}.", "其中的 JSON 不符合要求的结构：{why}。"),
        "contract_chars": ("It has {chars} characters; the most is {most}.", "共 {chars} 个字符，最多 {most} 个。"),
        "contract_broken": (
            "The answer does not keep to the form that the skill asks for. {why}",
            "回答不符合技能要求的格式。{why}",
        ),
        "invented_name": (
            "Tool {tool!r} was not run: nobody named {name!r}. Named were: {known}. Use one of these, or make the same "
            "call again if this one is meant.",
            "工具 {tool!r} 没有执行：没有人提到过 {name!r}。提到过的有：{known}。"
            "请改用其中之一；确实要用它，就原样再调用一次。",
        ),
        "waiting_call": (
            "Tool {tool!r} was not run: the question before it is open, and only the user can answer it. Answer from "
            "what is there.",
            "工具 {tool!r} 没有执行：它前面的问题还没有得到用户的回答。请根据已有结果作答。",
        ),
        "repeated_call": (
            "Tool {tool!r} was not run again: called {count} times with the same arguments, it gave the same result. "
            "Use that result, or do something else.",
            "工具 {tool!r} 没有再次执行：相同的参数已经调用 {count} 次，结果相同。请使用已有结果，或改做别的事。",
        ),
        "note_cut_call": (
            "Your last reply broke off in a tool call ({why}); nothing of it was run. Call again, one call at a time, "
            "with shorter arguments.",
            "上一条回复在工具调用中途中断（{why}），没有执行任何调用。请重新调用，一次一个，参数写短一些。",
        ),
        "note_cut_before_text": (
            "Your last reply reached the output limit before it said anything. Think briefly, then answer.",
            "上一条回复在给出内容之前就达到了输出上限。请简短思考，然后回答。",
        ),
        "call_cut": (
            "I stopped: the model's tool call could not be used {count} times ({why}). Nothing of it was run.",
            "已停止：模型的工具调用 {count} 次无法使用（{why}），没有执行其中任何内容。",
        ),
        "why_length": ("the output limit was reached", "达到输出上限"),
        "why_filter": ("the provider's content filter stopped it", "被模型服务的内容过滤中止"),
        "why_connection": ("the connection was lost", "连接断开"),
        "why_repetition": ("it went in circles", "内容循环重复"),
        "why_too_long": ("it was too long", "内容过长"),
        "why_no_json": ("its arguments are no JSON", "参数不是 JSON"),
        "end_length": ("[Cut off: the model's output limit was reached.]", "[回答被截断：已达到模型的输出上限。]"),
        "end_filter": ("[Stopped by the provider's content filter.]", "[已被模型服务的内容过滤中止。]"),
        "end_connection": ("[Cut off: the connection to the model was lost.]", "[回答中断：与模型的连接断开。]"),
        "end_repetition": ("[Cut off: it went in circles.]", "[内容开始循环重复，已截断。]"),
        "end_too_long": ("[Cut off: it was too long.]", "[内容过长，已截断。]"),
        "form_cancelled": (
            "The user put the form of tool {tool!r} away. Do not call it again before asking the user.",
            "用户取消了工具 {tool!r} 的参数填写。不要再次调用它，先询问用户。",
        ),
        "form_cancelled_with_note": (
            "The user put the form of tool {tool!r} away: {note} Do not call it again before asking the user.",
            "用户取消了工具 {tool!r} 的参数填写：{note}不要再次调用它，先询问用户。",
        ),
        "arguments_missing": (
            "Tool {tool!r} was not run: {names} missing. Ask the user.",
            "工具 {tool!r} 没有执行：缺少参数 {names}。请向用户询问。",
        ),
        "too_many_tasks": (
            "At most {most} tasks at once; this one was not started. Wait for the others first.",
            "一次最多交办 {most} 项任务，这一项没有执行。请等结果回来再交办。",
        ),
        "cut_loop": (
            "\n[cut: it went in circles; {chars} characters are left out]",
            "\n[内容开始循环重复，已截断 {chars} 个字符]",
        ),
        "cut_length": (
            "\n[cut: it was too long; {chars} characters are left out]",
            "\n[内容过长，已截断 {chars} 个字符]",
        ),
        "displayed_table": ("table", "表格"),
        "displayed_chart": ("chart", "图表"),
        "displayed_map": ("map", "地图"),
        "displayed_image": ("picture", "图片"),
        "displayed_file": ("file", "文件"),
        "table_rows": ("{total} rows", "共 {total} 条"),
        "table_rows_cut": (
            "{total} rows, the first {shown} shown here; the user sees all",
            "共 {total} 条，仅列出前 {shown} 条，用户已看到全部",
        ),
        "table_columns_cut": ("; {hidden} more columns", "；另有 {hidden} 列未列出"),
        "chart_shown": (
            "the user sees a {kind} chart {title!r}: {points} points, {measures}",
            "已向用户展示{kind}《{title}》：{points} 个数据点，指标 {measures}",
        ),
        "map_shown": (
            "the user sees a map {title!r}: {squares} squares",
            "已向用户展示地图《{title}》：{squares} 个栅格",
        ),
        "result_unusable": (
            "Tool {tool!r} ran, but its result cannot be used: {why}. A missing number is null.",
            "工具 {tool!r} 已执行，但结果无法使用：{why}。缺失的数值请写成 null。",
        ),
    }
)

# Sentences after which the user is no further than before.
_DEAD_ENDS: Final = ("again", "no_model", "no_steps", "step_needs_model", "empty_answer")


def render_sentence(code: str, language: Language, /, **values: object) -> str:
    """Sentence in this language with its values filled in; a list of names is joined."""
    return _SENTENCES.render(code, language, **values)


def list_names(names: Sequence[str], language: Language) -> str:
    """Names as a list within a sentence; `none` if there are none."""
    return join_names(names, language) or render_sentence("no_names", language)


def find_dead_end_sentence(text: str) -> str | None:
    """Code of the fixed sentence in a text that says that nothing could be done; None if there is none."""
    return next((code for code in _DEAD_ENDS if _SENTENCES.occurs_in(code, text)), None)
