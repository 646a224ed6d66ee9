"""Kinds of columns: numbers written as text, percentages, dates in several forms, identifiers that must stay text.

Only pandas and the standard library: `analysis.py` takes this file along, so that it computes the same.
"""

import re
from dataclasses import dataclass, replace

import pandas as pd

GAPS = ("", "-", "--", "—", "/", "na", "n/a", "nan", "null", "none", "无", "缺失", "未知", "#n/a", "#ref!", "#div/0!")
_YES_NO = frozenset({"yes", "no", "true", "false", "是", "否", "y", "n"})
_NUMBER = r"\(?[-+]?[¥￥$€£]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?\s?[%％元€]?\)?"
_GROUPED = r"\(?[-+]?[¥￥$€£]?\s?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?\s?[%％元€]?\)?"  # 1.234,50
_DECIMAL_COMMA = r"[^,]*\d,\d+\s?[%％元€]?\)?"
_DATE = (
    r"\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?月?(?:[ T]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{4}|[A-Za-z]{3,9} \d{1,2}, ?\d{4}"
)
_ID_NAME = re.compile(r"(?i)身份证|编号|单号|卡号|账号|手机|电话|邮编|工号|学号|(^|[\s_])(id|code|no|phone|zip|sku)$")
_PERCENT_NAME = re.compile(r"[（(][%％][)）]$")
_TIME_NAME = re.compile(r"(?i)日期|时间|date|time|day|month|月份")
_YEAR_NAME = re.compile(r"(?i)年份|年度|^年$|year")
_MEAN_NAME = re.compile(
    r"(?i)率|占比|比例|价|均|温|龄|评分|得分|指数|rate|ratio|share|price|average|mean|temp|\bage\b|score|index|percent"
)
_AMOUNT_NAME = re.compile(
    r"(?i)(?:金额|数额|总额|[销营]售额|营业额|营收|收入|支出|费用|成本|[单总售定]价|价格|价钱|工资|薪[资水酬]|奖金|预算|余额|数量|销量|产量|件数|人数"
    r"|重量|面积|得分|分数|成绩|利润)(?:[（(].{0,8}[)）])?$"
    r"|(?:^|[\s_])(?:amounts?|revenue|sales|prices?|costs?|fees?|salary|qty|quantity|score|totals?|turnover|income"
    r"|expenses?|budget|balance|profit|weight)(?:\s?\(.{0,8}\))?$"
)
_DIGIT = re.compile(r"[0-9０-９一二三四五六七八九十百千万亿两零〇]")
_MIN_AMOUNTS = 0.5
_SHARE = 0.8  # so much of a column must fit a kind; the rest is counted as odd
_SAMPLE = 5_000
_LONG_ID = 12  # digits: more are an identifier, and a float would change its last ones
_MAX_LEVELS = 200
_LONGEST_GAP = max(map(len, GAPS))


@dataclass(frozen=True)
class DataColumn:
    """One column: `kind` is number, date, year, id, boolean, category or text; `odd` counts values that do not fit.

    `levels` are the values of a category. `unread` is a value of a column that has the name of amounts and too few that
    can be read as numbers: nothing is computed from it, and no other column stands in for it.
    """

    name: str
    kind: str
    unit: str = ""
    gaps: int = 0
    odd: int = 0
    distinct: int = 0
    note: str = ""
    levels: tuple[str, ...] = ()
    unread: str = ""

    @property
    def aggregate(self) -> str:
        """How values of several rows are put together: a rate or a price is averaged, an amount is summed."""
        return "mean" if self.unit == "%" or _MEAN_NAME.search(self.name) else "sum"


def read_columns(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[DataColumn]]:
    """Convert a frame of texts: each column to its kind, gaps to missing values.

    Each value that occurs is read once, however many rows have it: a million rows of dates are some hundred days.
    """
    made, columns = {}, []
    for name in frame.columns:
        codes, found = pd.factorize(frame[name])
        text = _clean_texts(pd.Series(found, dtype="str"))
        values, column = _read_values(str(name), text, text.reindex(codes[:_SAMPLE]).dropna())
        bad = (values.isna() & text.notna()).to_numpy()
        odd = int(bad[codes[codes >= 0]].sum()) if bad.any() else 0
        rows = values.reindex(codes)
        rows.index = frame.index
        made[str(name)] = rows
        gaps, distinct = int(rows.isna().sum()) - odd, int(values.nunique())
        settled = _settle_kind(replace(column, gaps=gaps, odd=odd, distinct=distinct), len(rows))
        few = settled.kind in ("category", "boolean")
        columns.append(replace(settled, levels=tuple(values.dropna().unique())) if few else settled)
    return pd.DataFrame(made, index=frame.index), columns


def _clean_texts(found: pd.Series) -> pd.Series:
    text = found.str.strip()
    short = text.str.len() <= _LONGEST_GAP
    gaps = text[short].str.lower().isin(GAPS)
    return text.mask(gaps.reindex(text.index, fill_value=False)) if gaps.any() else text


def _settle_kind(column: DataColumn, rows: int) -> DataColumn:
    """A text with few values is a category."""
    few = column.distinct <= min(_MAX_LEVELS, max(2, (rows - column.gaps) // 2))
    return replace(column, kind="category") if column.kind == "text" and few and column.distinct else column


def _read_values(name: str, text: pd.Series, sample: pd.Series) -> tuple[pd.Series, DataColumn]:
    """Read the values of a column; `sample` are those of its first rows, by which the kind is told."""
    if sample.empty:
        sample = text.dropna().iloc[:_SAMPLE]
    if sample.empty:
        return text, DataColumn(name, "text")
    if _is_id(name, sample):
        return text, DataColumn(name, "id")
    is_time = _TIME_NAME.search(name) is not None
    if _fits(sample, _NUMBER) and not (is_time and _fits(sample, r"(?:19|20)\d{6}")):
        return _read_numbers(name, text)
    if _fits(sample, _GROUPED) and sample.str.fullmatch(_DECIMAL_COMMA).any():
        fitting = text.str.fullmatch(_GROUPED).fillna(value=False).astype(bool)
        pointed = text.str.replace(".", "", regex=False).str.replace(",", ".", regex=False)
        values, column = _read_numbers(name, pointed.where(fitting))
        return values, replace(column, note="1.234,5")
    if _fits(sample, _DATE + (r"|(?:19|20)\d{6}" if is_time else "")):
        dates, note = _read_dates(text)
        if int((dates.isna() & text.notna()).sum()) <= (1 - _SHARE) * len(text):
            return dates, DataColumn(name, "date", note=note)
    if frozenset(text.dropna().iloc[:10].str.lower()) <= _YES_NO:
        return text, DataColumn(name, "boolean")
    return text, DataColumn(name, "text", unread=_find_unread(name, sample))


def _find_unread(name: str, sample: pd.Series) -> str:
    """First value that is no number, of a column that is called an amount and has amounts in words or with remarks."""
    if not _AMOUNT_NAME.search(name.strip()) or sample.str.contains(_DIGIT).mean() < _MIN_AMOUNTS:
        return ""
    return next((one for one in sample if not re.fullmatch(_NUMBER, one)), "")


def _fits(sample: pd.Series, pattern: str) -> bool:
    return bool(sample.str.fullmatch(pattern).mean() >= _SHARE)


def _is_id(name: str, sample: pd.Series) -> bool:
    """Whether digits name something: long ones, ones with a leading zero, or a column that is called so."""
    digits = sample.str.fullmatch(r"\d+[Xx]?")
    if digits.mean() < _SHARE:
        return False
    lengths = sample[digits].str.len()
    if (lengths >= _LONG_ID).mean() > 0.5 or sample.str.match(r"0\d").any():
        return True
    return _ID_NAME.search(name) is not None


def _read_numbers(name: str, text: pd.Series) -> tuple[pd.Series, DataColumn]:
    numbers = pd.to_numeric(text, errors="coerce").astype("float64")
    odd = text[numbers.isna() & text.notna()]
    unit = "%" if _PERCENT_NAME.search(name) else _find_unit(odd)
    fitting = odd[odd.str.fullmatch(_NUMBER)]
    if len(fitting):
        bare = fitting.str.replace(r"^\((.*)\)$", r"-\1", regex=True).str.replace(r"[,¥￥$€£%％元\s]", "", regex=True)
        numbers.loc[fitting.index] = pd.to_numeric(bare, errors="coerce")
    numbers = numbers.where(numbers.abs() != float("inf"))
    whole = numbers.dropna()
    is_year = bool(_YEAR_NAME.search(name)) and bool(((whole % 1 == 0) & whole.between(1900, 2100)).all())
    return numbers, DataColumn(name, "year" if is_year else "number", unit)


def _find_unit(odd: pd.Series) -> str:
    """Unit that stands beside numbers: a percent sign or a currency."""
    head = odd.iloc[:_SAMPLE]
    if head.empty:
        return ""
    if head.str.contains("[%％]$", regex=True).mean() >= 0.5:
        return "%"
    if head.str.contains(r"[¥￥]|\d元", regex=True).any():
        return "元"
    found = re.search(r"[$€£]", "".join(head.iloc[:200]))
    return found[0] if found else ""


def _read_dates(text: pd.Series) -> tuple[pd.Series, str]:
    """Read dates form by form; the note says which forms there were, and which order of day and month was taken."""
    dotted = text.str.fullmatch(r"\d{1,2}\.\d{1,2}\.\d{4}").fillna(value=False).astype(bool)  # these begin with the day
    plain = text.str.replace(r"[年月/.]", "-", regex=True).str.replace("日", "", regex=False).mask(dotted, text)
    plain = plain.str.replace(r"-(?= |$)", "", regex=True).str.replace(r"-T|T", " ", regex=True).str.rstrip("Z")
    dates = pd.Series(pd.NaT, index=text.index, dtype="datetime64[us]")
    forms = []
    for form, shown in _list_forms(plain):
        left = dates.isna() & text.notna()
        if not left.any():
            break
        found = pd.to_datetime(plain[left], format=form, errors="coerce")
        if found.notna().any():
            forms.append(shown)
            dates.loc[left] = found
    note = "; ".join(forms) if len(forms) > 1 or any("?" in one for one in forms) else ""
    return dates, note


def _list_forms(plain: pd.Series) -> list[tuple[str, str]]:
    parts = plain.str.extract(r"^(\d{1,2})-(\d{1,2})-\d{4}$").dropna().astype(int)
    day_first, month_first = bool((parts[0] > 12).any()), bool((parts[1] > 12).any())
    unsure = "?" if len(parts) and not (day_first or month_first) else ""
    european, american = ("%d-%m-%Y", f"DD/MM/YYYY{unsure}"), ("%m-%d-%Y", f"MM/DD/YYYY{unsure}")
    order = [european, american] if day_first and not month_first else [american, european]
    times = [("%Y-%m-%d %H:%M:%S", "YYYY-MM-DD hh:mm:ss"), ("%Y-%m-%d %H:%M:%S.%f", "YYYY-MM-DD hh:mm:ss")]
    words = [(f"%d{gap}%{month}{gap}%Y", "DD Mon YYYY") for gap in "- " for month in "bB"]
    words += [(f"%{month} %d, %Y", "Mon DD, YYYY") for month in "bB"]
    return [
        ("%Y-%m-%d", "YYYY-MM-DD"),
        *times,
        ("%Y-%m-%d %H:%M", "YYYY-MM-DD hh:mm"),
        ("%Y-%m", "YYYY-MM"),
        ("%Y%m%d", "YYYYMMDD"),
        *order,
        ("%d.%m.%Y", "DD.MM.YYYY"),
        ("%m.%d.%Y", "MM.DD.YYYY"),
        *words,
    ]
