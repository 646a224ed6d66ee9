"""Diagnostics in Chinese: what each code means and, where it is not plain from that, what to do."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_FILES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "file_empty": "文件没有内容。",
        "file_too_large": "文件超过大小限制，没有读取。",
        "file_unreadable": "文件无法打开，或在读取时消失。",
        "encoding_not_utf8": "文件不是 UTF-8 文本，请另存为 UTF-8。",
        "nul_byte": "文本中有空字节（NUL），请删除。",
        "bom_removed": "已跳过 UTF-8 字节顺序标记（BOM）。",
        "line_ends_normalised": "CRLF 或 CR 换行已按 LF 读取。",
        "symlink": "技能的文件或文件夹是符号链接，请换成真正的文件。",
        "hard_link": "文件在磁盘的其他位置还有一个名字（硬链接）。",
        "not_regular_file": "应为文件的位置是管道、套接字或设备。",
        "file_name_invalid": "文件名在某些系统上无法使用，或掩盖了文件类型。",
        "file_name_collision": "忽略大小写、全半角和 Unicode 形式后，两个文件同名。",
        "too_many_files": "技能文件夹中的文件过多，多出的文件不使用。",
        "folder_too_large": "技能文件夹的总大小超过限制，超出的文件不使用。",
        "folder_too_deep": "技能文件夹的层级过深。",
        "bytecode_ignored": "已忽略 __pycache__ 文件夹。",
        "bytecode_without_source": "技能中有编译后的 Python 文件，但没有源代码。",
        "content_mismatch": "文件内容与扩展名不符。",
        "path_not_relative": "引用是绝对路径、以 ~ 开头或是网址；它必须在技能文件夹内。",
        "path_escapes": "引用指向技能文件夹之外。",
        "path_missing": "引用的文件不存在。",
        "archive_path_escape": "压缩包中有条目会解压到文件夹之外。",
        "archive_link": "压缩包中有链接或设备条目。",
        "archive_bomb": "压缩包解压后远大于自身，或条目相互重叠。",
        "archive_nested": "压缩包嵌套层数过多。",
        "archive_too_large": "压缩包的条目或解压后的内容超过检查上限。",
        "archive_unreadable": "压缩包无法读取。",
    }
)
_FRONT_MATTER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "front_matter_missing": "文件开头没有三个短横线的一行（---）；只有正文的 SKILL.md 仍会加载。",
        "front_matter_unclosed": "文件头缺少结尾的三个短横线（---）。",
        "front_matter_too_large": "文件头超过 16 KiB。",
        "front_matter_repeated": "文件头之后还有一段像文件头的内容，已按正文处理。",
        "no_front_matter": "没有文件头的 Markdown 文件不是技能，已跳过。",
        "yaml_invalid": "文件头不是有效的 YAML。",
        "yaml_colon_quoted": "值需要加引号（例如含有冒号），已按文本读取。",
        "yaml_alias": "不允许使用锚点和别名。",
        "yaml_tag": "不允许使用标签。",
        "yaml_merge_key": "不允许使用合并键。",
        "yaml_duplicate_key": "同一个键写了两次。",
        "yaml_too_deep": "文件头嵌套过深。",
        "yaml_multiple_documents": "文件头包含多个 YAML 文档。",
        "yaml_not_mapping": "文件头不是键和值的列表。",
        "yaml_scalar_ambiguous": "未加引号的词会被其他 YAML 读取器当作数字、日期或真假值，请加引号。",
        "json_invalid": "文件不是有效的 JSON。",
        "manifest_invalid": "清单不符合规定的格式，且无法修复。",
    }
)
_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "field_unknown": "不认识这个键，已略去。",
        "field_invalid": "值无法使用，已采用默认值。",
        "field_repeated": "同一个键用两个名字写了两次，以第一个为准。",
        "field_ignored": "这个键来自其他系统，在这里不起作用。",
        "name_missing": "技能没有名称，已采用文件夹或文件的名字。",
        "name_invalid": "名称不能用作标识。",
        "name_not_standard": "名称不符合开放标准：小写字母、数字和单个连字符。",
        "name_not_folder": "名称与文件夹名不同。",
        "name_normalised": "名称已规范化：统一 Unicode 形式，空格改为连字符。",
        "name_homoglyph": "名称混用了不同文字中外形相似的字母。",
        "name_collision": "忽略大小写、全半角和 Unicode 形式后，两个标识相同。",
        "description_missing": "技能没有描述，已采用正文开头的文字。",
        "description_advised": "技能没有描述，路由难以判断何时使用它。",
        "description_too_long": "描述超过 1024 个字符。",
        "tool_list_invalid": "允许或禁止的工具列表无法读取；没有它，允许的范围会过大。",
        "tools_wildcard": "工具列表允许一切工具，请逐个列出。",
        "too_many_items": "列表的条目过多。",
        "tool_refused": "工具的声明无法使用，只略去了这个工具。",
        "tool_duplicate": "同一个工具声明了两次，两个都不提供。",
        "schema_invalid": "技能中的 JSON Schema 无效。",
        "schema_remote_ref": "JSON Schema 引用了外部地址。",
        "schema_recursive_ref": "JSON Schema 无止境地引用自身。",
        "schema_too_large": "JSON Schema 过大，无法使用。",
        "schema_pattern_unsafe": "正则表达式有误，或需要环视、反向引用，无法在线性时间内运行。",
        "prompt_missing": "技能没有提示词文件。",
        "prompt_unreadable": "提示词文档无法打开。",
        "layout_ambiguous": "文件夹中有两种布局的文件，已读取第一种。",
        "part_invalid": "技能的一部分（规则、案例或工具列表）无法读取，已略去。",
    }
)
_HIDDEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hidden_tag_text": "不可见的标签字符拼出了隐藏文字。",
        "hidden_bidi": "方向控制符使看到的文字与实际内容不同。",
        "hidden_zero_width": "一串不可见字符隐藏了内容。",
        "hidden_variation": "变体选择符携带了隐藏内容。",
        "hidden_document_text": "Word 文档中有读者看不到的文字。",
        "zero_width_removed": "已删除一个不可见字符。",
        "hidden_order": "文字中藏有指令：在注释里、看不见的地方或编码块中。",
        "suspicious_wording": "文字提到覆盖指令，或下载并运行代码。",
        "skill_untrusted": "技能可以阅读，但在有人批准之前，不运行任何脚本，也没有预先批准的工具。",
    }
)
_CATALOG: Final[Mapping[str, str]] = MappingProxyType(
    {
        "folder_missing": "技能文件夹不存在。",
        "skill_in_root": "技能文件与技能文件夹并列：只有附属文件夹算它的，其余是各自的技能。",
        "folder_not_a_skill": "文件夹中没有技能文件，已跳过。",
        "archive_not_unpacked": "技能文件夹中有压缩包，解压后才能使用。",
        "scan_truncated": "技能文件夹的子文件夹过多或过深，没有全部读取。",
        "skill_duplicate": "同一文件夹中的另一个技能已使用这个标识。",
        "skill_shadowed": "受信任的文件夹、领域包或更靠前的文件夹中已有这个标识的技能，这一个没有加载。",
        "skill_overridden": "按照管理员的设置，另一个技能取代了这一个。",
        "skill_quarantined": "这个版本等待批准；如有已批准的版本，则继续使用。",
        "skill_unapproved": "技能是新的，或与锁定文件中的版本不同。",
        "skill_copy_lost": "已批准版本的副本丢失或被改动。",
        "lock_invalid": "技能的锁定文件无法读取，其中的内容都不算已批准。",
        "skill_kept": "修改被拒绝，继续使用上一个可用的版本。",
    }
)
_LINT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "standard_field": "开放标准只有六个键，其他的应放在 metadata 下。",
        "standard_extension": "这是 Metier 自己的键；不放在 metadata 下，其他读取器可能会拒绝。",
        "standard_name": "开放标准不接受这个名称。",
        "standard_description": "开放标准不接受这个描述。",
        "standard_compatibility": "开放标准不接受这个兼容性说明。",
        "standard_yaml": "开放标准的参考读取器不接受这段 YAML。",
        "standard_file": "开放标准的参考读取器找不到或打不开技能文件。",
        "standard_delimiter": "值中的三个短横线会使标准的参考读取器提前截断。",
        "body_empty": "技能没有说明正文。",
        "body_long": "说明正文超过建议的 1500 个 token。",
        "body_too_long": "说明正文超过 5000 个 token。",
        "tool_unknown": "提到的工具没有任何地方声明。",
        "tool_unknown_in_text": "正文要求调用的工具没有任何地方声明。",
        "tool_not_allowed_in_text": "正文要求调用的工具不在技能的允许列表中。",
        "tool_description_long": "工具描述超过 120 个字符。",
        "tool_examples_missing": "带参数的工具既没有示例也没有边界情况；两者都有时，模型调用得更准确。",
        "approval_invalid": "工具的审批规则无法读取或可能无限增长，不提供这个工具。",
        "trigger_overlap": "两个技能有相同的触发词。",
        "examples_few": "示例消息不足五条；有五条时路由会准确得多。",
        "tool_unknown_preapproved": "allowed-tools 里的工具没有人声明。",
        "template_text": "还是新建技能时的模板文字。",
        "script_missing": "声明的工具没有脚本。",
        "script_without_function": "脚本没有定义与其同名的函数。",
        "script_invalid": "脚本不是有效的 Python。",
        "script_undeclared": "脚本不属于任何已声明的工具。",
        "reference_missing": "正文指向的文件不存在。",
        "sop_invalid": "步骤或里程碑无法执行；技能在没有它们的情况下工作。",
        "model_invalid": "metadata.model 不是模型名称，选择模型时不考虑它。",
        "model_unknown": "metadata.model 不是已配置的模型，选择模型时不考虑它。",
        "graph_unknown_skill": "技能提到了另一个不存在的技能。",
        "graph_cycle": "技能之间的后续关系形成了循环。",
        "graph_type_mismatch": "一个技能的输出与下一个技能的输入不符。",
    }
)

CHINESE: Final[Mapping[str, str]] = MappingProxyType(
    {**_FILES, **_FRONT_MATTER, **_FIELDS, **_HIDDEN, **_CATALOG, **_LINT},
)
