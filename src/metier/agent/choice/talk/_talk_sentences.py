"""Sentences about the program, and those that take a complaint up."""

from typing import Final

from metier.language import Sentences

TALK_SENTENCES: Final = Sentences(
    {
        "wrong_facts": (
            "What is wrong? This was done with: {facts}. Say what it should be, and it is done again with that.",
            "哪里不对？刚才用的是：{facts}。说出应该改成什么，就按它重做。",
        ),
        "wrong_work": (
            "What is wrong? Say what should be different, or what you would like to have instead.",
            "哪里不对？说出哪一处应该不同，或者你想要的是什么。",
        ),
        "wrong_nothing": (
            "What would you like to have done? Say it in a few words, with the name of the machine, place or file.",
            "你想做什么？用几个字说出来，带上设备、地点或文件的名字。",
        ),
        "evidence_offer": ("Say “what is the evidence?” to see the grounds.", "想看依据，可以说「有什么依据」。"),
        "evidence": ("What is the evidence?", "有什么依据"),
        "asked_open": (
            "Sorry for asking again: the question is still open. Answer it, or say “skip” to leave it.",
            "抱歉又问了一遍：这个问题还没有得到回答。可以回答它，也可以说「跳过」。",
        ),
        "control_wait": ("No hurry, the question waits.", "不急，这个问题等着你。"),
        "control_back": (
            "I cannot go back to an earlier question. Say “never mind” to drop this, then ask for it anew.",
            "这里不能退回到前面的问题。说「算了」就放弃这件事，然后可以重新提要求。",
        ),
        "control_meant": (" If that is your answer, say it as a sentence.", "如果这就是你的回答，请说成一句话。"),
        "control_explain": (
            "Answer in your own words; a few are enough. Say “never mind” to drop this.",
            "用自己的话回答就行，几个字也可以；不想继续就说「算了」。",
        ),
        "control_choose": (
            "Choose one of the answers, or say “never mind” to drop this.",
            "从选项里选一个就行；不想继续就说「算了」。",
        ),
        "attach": (
            "On the page, attach your own file with the button beside the input field, by dropping or by pasting it; "
            "on "
            "the command line with `metier run --document FILE -c CONVERSATION`. The sample is not used.",
            "用自己的文件：在网页上点输入框旁的附件按钮，或把文件拖放、粘贴进来；在命令行用 `metier run --document "
            "文件 -c 对话`。不会使用示例。",
        ),
        "attach_then": (
            "Then say “attached”, or the name of the file, and it goes on with that.",
            "附好后说「传好了」或写出文件名，就用它接着做。",
        ),
        "attach_say": ("Then say what shall be done with it.", "附好后再说要用它做什么。"),
        "sample_or_own": (
            "For the sample, say “{offer}”.",
            "要用示例，请说「{offer}」。",
        ),
        "not_attached": ("I see no attached file yet.", "还没有看到附上的文件。"),
        "never_mind": ("Never mind", "算了"),
        "half_answer": (
            "I cannot tell whether that is a yes or a no; nothing was done.",
            "我看不出这是同意还是不同意，所以什么都没有做。",
        ),
        "praise": ("Glad to hear that. Just say what comes next.", "那就好。接下来要做什么，直接说就行。"),
        "thanks_open": ("You are welcome. One question is still open.", "不客气。还有一个问题在等你回答。"),
        "polite_yes": (
            "To be sure: shall this be done? If so, answer with a plain “yes”; “no” leaves everything as it is.",
            "我想确认一下：要执行吗？同意就只回答「好的」，回答「不」则一切不变。",
        ),
        "slow": (
            "Sorry for the wait. Nothing is running now; say what you would like next.",
            "抱歉，让你久等了。现在没有在运行的任务；接下来要做什么，直接说就行。",
        ),
        "slow_open": (
            "Sorry for the wait. Nothing is running now: the next step waits for your answer.",
            "抱歉，让你久等了。现在没有在运行的任务，下一步在等你的回答。",
        ),
        "skip": ("Skip", "跳过"),
        "known_facts": ("Sorry. This is settled so far: {facts}.", "抱歉。已经定下的有：{facts}。"),
        "asked_nothing": ("Sorry. No question is waiting for your answer now.", "抱歉。现在没有等你回答的问题。"),
        "same_again": (
            "Sorry. I answer without a language model here, so I can only do what a skill has steps for. "
            "Say “what can you do?” to see what that is.",
            "抱歉。这里的回答不经过语言模型，我只能做技能里写好步骤的事。说「你能做什么」可以看到有哪些。",
        ),
        "abilities": ("What can you do?", "你能做什么"),
        "fact": ("{title} {label}", "{title}：{label}"),
        "person": (
            "I am a program and no person; no person reads along here. {model}",
            "我是程序，不是真人，也没有真人在这里回话。{model}",
        ),
        "safety": (
            "Conversations, attached files and results are stored on the server that runs this program; who runs it "
            "can read them, and so can who has a link that shares a conversation; who may approve a step that waits "
            "sees what it would do. {model} Only steps that search or fetch web pages, or use a connected service, "
            "reach other computers; every step shows what it does.",
            "对话、附件和结果保存在运行本程序的服务器上，服务器的管理者可以看到，拿到对话分享链接的人也可以；有权审批的人能看到等待批准的操作。{model}"
            "只有检索或打开网页、使用外接服务的步骤才会访问其他计算机；每一步做什么都会显示出来。",
        ),
        "safe_open": (
            "Nothing is done before you answer, and “no” leaves everything as it is. "
            "If you mean your data, ask “is my data safe?”.",
            "在你回答之前什么都不会做，回答「不」则一切不变。如果问的是数据，可以说「我的数据安全吗」。",
        ),
        "safe_result": (
            "What is known about it is in the result above; I cannot promise that it is safe. Let the person in charge "
            "decide. If you mean your data, ask “is my data safe?”.",
            "已知的情况都在上面的结果里，我不能保证它安全，请由负责的人来判断。如果问的是数据，可以说「我的数据安全吗」。",
        ),
        "quoted": ("“{name}”", "「{name}」"),
        "cost": (
            "The program is open source (Apache 2.0) and costs nothing itself. {model}",
            "本程序是开源软件（Apache 2.0），本身不收费。{model}",
        ),
        "duration": (
            "There is no fixed time. While it runs, the steps are shown as they are done, and it can be stopped at any "
            "time; say “go on” to take it up again.",
            "没有固定的时间。运行时每一步都会显示，随时可以停止；停止后说「继续」可以接着做。",
        ),
        "model_none": (
            "No language model is connected, so nothing is sent to one.",
            "现在没有接入语言模型，内容不会发给任何模型。",
        ),
        "model_own": (
            "The language model runs on a server of one's own.",
            "语言模型运行在自己的服务器上。",
        ),
        "model_hosted": (
            "Messages and results go to the providers of the connected language models: {names}.",
            "消息和结果会发给所接入语言模型的服务商：{names}。",
        ),
        "price_none": (
            "No language model is connected, so none is paid for.",
            "现在没有接入语言模型，不产生模型费用。",
        ),
        "price_own": ("The language model runs on a server of one's own.", "语言模型运行在自己的服务器上。"),
        "price_hosted": (
            "The providers of the connected language models may charge for them: {names}.",
            "所接入语言模型的服务商可能收费：{names}。",
        ),
    }
)
