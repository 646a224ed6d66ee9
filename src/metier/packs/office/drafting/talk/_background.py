"""First clauses that tell who asked for something, or what it is needed for, before the order itself."""

import re
from typing import Final

from metier.packs.office.drafting._asides import begins_with_order, names_look

__all__ = ["is_about", "is_background"]

_WHO: Final = (
    r"(?:我们?|咱们?|他们|大家|对方|甲方|乙方|业主|监理|上级|上面|领导|老板|客户|供应商|老师|校长|院长|主任|经理|"
    r"主管|总监|组长|科长|处长|局长|书记|秘书|"
    r"同事|学生|家长|物业|财务|人事|行政|采购|法务|审计|质检|安监|消防|公司|单位|学校|医院|社区|街道|总部|分公司|集团|评审|评委|专家|审核|验收|招标方?|采购方|"
    r"[\u4e00-\u9fff]{0,4}(?:[办处科部局组总院委所站队室会]|那边|这边|中心|文件|规定|制度|合同|方案|手册|标准|章程|"
    r"通知))"
)
_WISH: Final = (
    r"(?:要求|规定|明确|催着?|说了?|让我们?|叫我们?|通知|布置|交代|等着|急着|着急|想要?|需要|问我?要|找我要|跟我要|"
    r"反映|点名|强调|提醒|建议|希望|"
    r"[找跟问](?:我们?|咱们?)要|(?<![纪摘概提简扼])要(?![素点件目像能]|看得)|得(?![分票]))"
)
# 领导要求附风险清单, 项目办催着交登记表, 招标文件第三章要求逐条应答
_REPORTED: Final = re.compile(
    rf"(?:[今明昨后]天|这[周月次]|下[周月午]|上[周月午]|刚才|刚刚|今早|月底|年底|每[周月次年])?{_WHO}们?"
    rf"(?:第[一二三四五六七八九十\d]+[章节条款])?[\u4e00-\u9fff]{{0,3}}?{_WISH}[\u4e00-\u9fff]*"
)
# 开完会要分任务, 新店开业要排进度: something happens, and therefore something is to be done.
_OCCASION: Final = re.compile(
    r"(?!.{0,6}[表列行栏页图字题头格段])[\u4e00-\u9fff]{2,10}?(?<![只还也都必重主需纪摘概提简])(?:要|得|"
    r"需要?)(?![求点素件目是有包含加插写放留填标列做像能看让正够显懂清见出了到住下起过])[\u4e00-\u9fff]{1,8}"
)
_NEVER: Final = re.compile(
    r"[一二两三四五六七八九十]+(?:[行列页张份个条句栏级周]|个[周月字])|不|别|勿|只|仅|除|最|英文|中文|双语|语气|字数|"
    r"以内|左右|格式|排序|顺序|按.{1,6}[排列分]|小数|单位(?:是|为|用)|照着|参考|模仿|"
    r"表头|标题|[列栏行页](?!业|政|长)|模板|抬头|边框|签[字名]|盖章|公式|合计|总计|红|蓝|黄|绿|加粗|大字|居中|横|竖"
)
# We need somewhere to track risks, before the sentence that says what to make.
_NEED_EN: Final = re.compile(
    r"(?:we|i|they|he|she|my \w+|our \w+|the \w+)(?: (?:really|just|still|now|also))?(?:['’](?:d|ll))? "
    r"(?:need|want|have|has|like|needs|wants)\b(?: (?:somewhere|something|a (?:place|way|spot|home)))?"
    r" to (?:track|keep|follow|record|log|collect|note|prepare|present|hand in|submit|discuss|plan|organi[sz]e)\b"
    r"[a-z'’ ]{2,40}",
    re.IGNORECASE,
)
_SHAPES_EN: Final = re.compile(
    r"\b(?:no|not|without|only|bold|red|blue|green|columns?|rows?|headings?|title|titled|called|slides?|tables?|"
    r"charts?|"
    r"report|list|sort\w*|order|formal|short|long|page|pages|english|chinese|signature|totals?|two|three|four|five|six|"
    r"each|every|per|must|should)\b|n['’]t\b",
    re.IGNORECASE,
)
# 需要逐条回复, 照片还在拍, 给学生排论文进度: what is to be done with it, what is not there yet, for whom it is.
_MEANWHILE: Final = re.compile(
    r"(?:我们|大家|还|都|也)*(?:需要?|要)(?:我们|大家)?[逐一条项个]{0,4}(?:回复|答复|回应|响应|应答|跟进|落实|整改|"
    r"核对|汇报|公示|备案|存档|归档|上报|评审|验收)|"
    r"[\u4e00-\u9fff]{1,8}(?:还|正|仍|尚|暂时?)(?:在|没|未)[\u4e00-\u9fff]{1,6}|"
    r"(?:给|为|帮)[\u4e00-\u9fff]{1,6}?(?:排|定|安排|整理|准备|理)(?:一下)?[\u4e00-\u9fff]{2,8}"
)
# 投标文件里少了个附录, PPT还差一页: what is not there yet, and is ordered then; what somebody leaves for it.
_MISSING: Final = re.compile(
    r"[\u4e00-\u9fffA-Za-z]{2,16}?(?:里面?|中|上)?(?:还|就|正|只|刚好|总)*(?:差|缺|少)(?:了|着)?(?:个|一?[个张页份]|"
    r"东西|材料)?(?:没做|没写|没弄)?|"
    rf"{_WHO}们?只(?:给|有|留|批)(?:了|我们?|咱们?)?[一二两三四五六七八九十半几\d]+(?:分钟|天|个?小时|周)"
)
_LISTED: Final = re.compile(r"列(?:一列|一下|出来|清楚)")  # no column: 要求把风险列一列
_MAX_CHARS: Final = 60
_CLAUSE_OF: Final = re.compile(r"第[一二三四五六七八九十\d]+[章节条款]")


def is_background(clause: str) -> bool:
    """Whether a clause before the order only tells who wants it or why; nothing in it shapes the result."""
    if len(clause) > _MAX_CHARS:
        return False
    if not re.search(r"[\u4e00-\u9fff]", clause):
        return bool(_NEED_EN.fullmatch(clause)) and not _SHAPES_EN.search(clause) and not names_look(clause)
    clause = "".join(clause.split()) if re.search(r"[\u4e00-\u9fff]", clause) else clause
    if _MISSING.fullmatch(clause) and not names_look(clause) and not begins_with_order(clause):
        return True
    bare = _LISTED.sub("说", _CLAUSE_OF.sub("", clause))
    if re.search(r"[\d\"、/|()\[\]A-Za-z]", bare) or _NEVER.search(bare) or names_look(bare):
        return False
    return any(form.fullmatch(clause) for form in (_REPORTED, _OCCASION, _MEANWHILE))


# What a page or a chart is about, beside the order for it: 展示新员工的入职安排.
_ABOUT: Final = re.compile(
    r"(?:用来|用于|主要)?(?:展示|介绍|呈现|体现|反映|讲述?|说明)(?:一下)?[\u4e00-\u9fff]{1,8}的[\u4e00-\u9fff]{0,4}"
    r"(?:安排|计划|过程|进度|情况|流程|历程|思路|步骤|进展|概况|规划|经过|打算)"
)


def is_about(clause: str) -> bool:
    """Whether a clause only says what the thing beside it is about."""
    clause = "".join(clause.split())
    return bool(_ABOUT.fullmatch(clause)) and not _NEVER.search(clause) and not names_look(clause)
