"""Sentences of the slide executor: what a change is, and why a step fails."""

from typing import Final

from metier.language import BilingualText, NoteValue, Sentences

SLIDE_SENTENCES: Final = Sentences(
    {
        # why a step fails
        "no_slide": ("There is no slide {number}; the deck has {count}", "没有第 {number} 张幻灯片，共 {count} 张"),
        "no_layout": (
            "The template has no layout {number}; it has {known}",
            "模板没有第 {number} 号版式；现有：{known}",
        ),
        "no_shape": (
            "Slide {number} has no shape {name}; shapes: {known}",
            "第 {number} 张没有形状“{name}”；现有：{known}",
        ),
        "no_placeholder": (
            "Slide {number} has no such placeholder; it has {known}",
            "第 {number} 张没有这样的占位符；现有：{known}",
        ),
        "bad_color": ("{text} is no colour", "“{text}”不是颜色"),
        "bad_shape": ("The shape {name} is not known; known: {known}", "不认识形状“{name}”；可用：{known}"),
        "bad_effect": ("The effect {name} is not known; known: {known}", "不认识效果“{name}”；可用：{known}"),
        "bad_style": ("The style {name} is not known; known: {known}", "不认识样式“{name}”；可用：{known}"),
        "no_data": ("The step has no data", "这一步没有数据"),
        "no_numbers": ("The data have no numbers for a chart", "数据中没有可画图的数字"),
        "bad_link": (
            "Links go to http, https or mailto addresses only: {address}",
            "链接只能指向 http、https 或 mailto：{address}",
        ),
        "bad_picture_remote": ("Pictures of the network are not loaded: {path}", "不加载网络图片：{path}"),
        "bad_picture_outside": (
            "The picture must be in the document's folder: {path}",
            "图片须在文档所在文件夹内：{path}",
        ),
        "bad_picture_missing": ("There is no picture {path}", "没有图片 {path}"),
        "bad_picture_too_large": ("The picture is larger than 20 MB: {path}", "图片超过 20 MB：{path}"),
        "bad_picture_not_a_picture": (
            "{path} is no PNG, JPEG, GIF or BMP picture",
            "{path} 不是 PNG、JPEG、GIF 或 BMP 图片",
        ),
        "no_template": ("There is no template {path} in the document's folder", "文档所在文件夹中没有模板 {path}"),
        "no_theme": (
            "The theme {name} is not known; name a template file (template_path) or one of {known}",
            "不认识主题“{name}”；请给出模板文件（template_path），或选用：{known}",
        ),
        "last_slide": ("The last slide cannot be deleted", "不能删除最后一张幻灯片"),
        "no_animation": ("Slide {number} has no animation {index}", "第 {number} 张没有第 {index} 个动画"),
        "no_match": ("No shape has the text {text}", "没有形状含有“{text}”"),
        "missing_values": ("No value for {names}", "没有 {names} 的值"),
        "mode_unsupported": (
            "Slides have no tracked changes; write them directly, after the preview",
            "演示文稿没有修订模式；请预览后直接写入",
        ),
        "not_here": ("{op} does not exist for slides", "演示文稿没有 {op} 操作"),
        # what is left out
        "no_headers": ("Slides have no header; use the footer", "幻灯片没有页眉，请用页脚"),
        "no_sound": ("Sounds of transitions are not written", "不写入切换声音"),
        # what a change is
        "add_slide": ("New slide {text}", "新增幻灯片 {text}"),
        "delete_slide": ("Delete slide {number}", "删除第 {number} 张"),
        "duplicate_slide": ("Copy slide {number}", "复制第 {number} 张"),
        "move_slide": ("Move slide {number} to {other}", "把第 {number} 张移到第 {other} 张"),
        "hide": ("Hide slide {number}", "隐藏第 {number} 张"),
        "show": ("Show slide {number}", "取消隐藏第 {number} 张"),
        "text": ("Text on slide {number}", "第 {number} 张的文字"),
        "textbox": ("Text box on slide {number}", "第 {number} 张的文本框"),
        "shape": ("Shape on slide {number}", "第 {number} 张的形状"),
        "table": ("Table on slide {number}", "第 {number} 张的表格"),
        "chart_here": ("(chart)", "（图表）"),
        "chart": ("Chart on slide {number}", "第 {number} 张的图表"),
        "picture": ("Picture on slide {number}", "第 {number} 张的图片"),
        "link": ("Link on slide {number}", "第 {number} 张的链接"),
        "art": ("Word art on slide {number}", "第 {number} 张的艺术字"),
        "notes": ("Notes of slide {number}", "第 {number} 张的备注"),
        "style": ("Look of slide {number}", "第 {number} 张的样式"),
        "layout": ("Layout of slide {number}", "第 {number} 张的版式"),
        "background": ("Background of slide {number}", "第 {number} 张的背景"),
        "transition": ("Transition of slide {number}", "第 {number} 张的切换效果"),
        "animation": ("Animation on slide {number}", "第 {number} 张的动画"),
        "no_animations": ("Remove the animations of slide {number}", "去掉第 {number} 张的动画"),
        "size": ("Size of all slides", "全部幻灯片的大小"),
        "theme": ("Theme of the deck", "演示文稿的主题"),
        "props": ("Properties of the deck", "演示文稿的属性"),
        "footer": ("Footer of slide {number}", "第 {number} 张的页脚"),
        "block": ("Write or update slides", "写入或更新幻灯片"),
        "delete_block": ("Delete the block {text}", "删除块 {text}"),
        # what a person should know
        "moved": (
            "{name} on slide {number} was moved, so that nothing overlaps",
            "第 {number} 张的“{name}”已移位，以免重叠",
        ),
        "shrunk": (
            "Text on slide {number} is set in {size} pt, so that it fits",
            "第 {number} 张的文字缩为 {size} 磅以免溢出",
        ),
        "split": ("Slide {number} was too full and goes on on the next one", "第 {number} 张放不下，已续到下一张"),
        "continued": (" (continued)", "（续）"),
        "layouts_stay": (
            "Colours and fonts of the template were taken; the layouts stay those of the deck",
            "已采用模板的颜色和字体；版式仍为原文件的版式",
        ),
        "merged_table": (
            "Cells of the table are merged over this row; unmerge them first",
            "表格在这一行有跨行合并的单元格，请先取消合并",
        ),
        "has_animation": (
            "{name} on slide {number} has an animation already; it stays as it is",
            "第 {number} 张上的“{name}”已有动画，保持不变",
        ),
        "macros": ("The document contains macros; they were kept and not run", "文档含有宏，已原样保留，没有运行"),
        "plain_effect": ("The effect {name} is played as a fade", "效果“{name}”按淡入播放"),
    }
)


def say(code: str, **values: NoteValue) -> BilingualText:
    """Sentence in both languages."""
    return BilingualText(
        zh=SLIDE_SENTENCES.render(code, "zh", **values), en=SLIDE_SENTENCES.render(code, "en", **values)
    )
