"""Records a conversation may mean: files of its folder, and the shipped samples."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, choose, language_of
from metier.names import suggest
from metier.packs.phm._machine_words import MACHINE_WORDS, NUMBER_BESIDE, find_numbered
from metier.packs.phm.bearings import read_bearing
from metier.packs.phm.conversation._words import SpokenFacts, read_words
from metier.packs.phm.loaders import Record, list_record_files, read_record, write_facts
from metier.packs.phm.samples import list_samples, load_sample, make_gear_record
from metier.packs.phm.values import choose_channel
from metier.patterns import read_chinese_integer
from metier.tools import ToolError

_TEETH: Final = re.compile(
    r"(?i)(\d{1,4})\s*(?:个)?(?:齿|teeth|tooth)"
    r"|(?:齿数|teeth)\s*(?:改成|换成|改为|换为|to|[:：=为是])?\s*(\d{1,4})"
)
_NUMBERED: Final = re.compile(r"^\d{3,9}-")
_TEXTS: Final = Sentences(
    {
        "one_at_a_time": (
            "One machine at a time: this was {title}. For the others say “and {others}?”.",
            "一次看一台，以上是{title}。要看另外的，接着说「{others}呢」。",
        ),
        "or_others": ("?” or “and ", "呢」或「"),
    }
)
GEAR_SAMPLE: Final = "gearbox"
_GEARBOXES: Final = ("齿轮箱", "减速机", "减速箱", "减速器", "变速箱", "gearbox", "gear box", "gear unit", "reducer")
# Names of the shipped records for people, by language.
ASSET_LABELS: Final[Mapping[str, JsonValue]] = MappingProxyType(
    {
        GEAR_SAMPLE: {"zh": "示例齿轮箱", "en": "sample gearbox"},
        "trend": {"zh": "示例趋势", "en": "sample trend"},
        **{one.id: {"zh": one.title.zh, "en": one.title.en} for one in list_samples().values()},
    }
)
_DIGITS: Final = re.compile(r"\d+")
# Only a number, after another machine: 1号呢, 那3号怎么样, "and number 2?".
_BARE_NUMBER: Final = re.compile(
    r"(?:那么?|[再看]|换成?|还有|and |what about |how about |now )*(?:number |no\.? ?|#)?"
    r"(\d{1,3}|[一二三四五六七八九])\s*[号#]?(?:的|机)?(?:呢|怎么样|如何|情况)?[？?。.]*"
)
_RIG: Final = "rig"
# 不是1号泵, "not pump 1 but fan 2": what stands before a machine that is not meant.
_EXCLUDED: Final = re.compile(
    r"(?:不是|并非|而非|不要|不用|不看|别看|除了?|先不|\bnot|\bexcept(?: for)?|\binstead of|\brather than|\bwithout)"
    r"\s*(?:the\s+|诊断|检查|看看?|diagnose\s+|check\s+)?(?:\d{1,3}|[一二三四五六七八九])?\s*[号#]?\s*$"
)
# 1号泵，不对，2号风机: what is said behind it counts.
_CORRECTS: Final = re.compile(r"不对|说错|我是说|应该是|改成|换成|\bsorry\b|\bi mean\b|\bi meant\b|\bno,|\bactually\b")
_REPORT: Final = re.compile(r"(?i)报告|\breport\b")


@dataclass(frozen=True, slots=True)
class AssetMatch:
    """The record a message means, with the facts its words give; `asset` is empty if none is named.

    `unknown` is a machine that the message names and of which there is no record; `others` are further machines that
    the message names.
    """

    asset: str
    source: str
    told: SpokenFacts
    report: bool = False
    unknown: str = ""
    others: tuple[str, ...] = ()


def match_asset(message: str, workspace: Path | None, known: str = "") -> AssetMatch:
    """Find the record by its name in the message, then by what the conversation is about, then by the only file."""
    lower = message.lower()
    files = list_files(workspace) if workspace is not None else []
    named = next((path.name for path in files if is_named(path, lower)), "")
    others: tuple[str, ...] = ()
    if not named:
        named, *rest = _list_machines(lower) or [""]
        others = tuple(one for one in rest if not _find_unknown(one, lower))
        if files and named not in ("", _RIG) and not find_numbered(lower, MACHINE_WORDS[named]):
            named, others = "", ()  # this motor, with a record attached, is that of the record
    source = "words"
    told, is_report = read_words(message), bool(_REPORT.search(message))
    bare = _BARE_NUMBER.fullmatch(lower.strip()) if not named and known in list_samples() else None
    if bare is not None:
        named = _find_by_number(bare[1])
    if unknown := _find_unknown(named, lower) if named or bare is None else bare[0].strip():
        return AssetMatch("", source, told, is_report, unknown)
    if not named and known:
        named, source = known, "step"
    if not named and len(files) == 1:
        named, source = files[0].name, "assumption"
    return AssetMatch(named, source, told, is_report, others=others)


def tell_others(match: AssetMatch, title: str, workspace: Path, language: Language) -> str:
    """What to say for the further machines that the message names; empty without any."""
    named = [describe_asset(one, workspace, language) for one in match.others]
    others = _TEXTS.render("or_others", language).join(named)
    return _TEXTS.render("one_at_a_time", language, title=title, others=others) if named else ""


def _list_machines(lower: str) -> list[str]:
    """The machines that a message means, in its order: not those it excludes, nor those it takes back."""
    every = [
        (found.start(), found.end(), key)
        for key, words in MACHINE_WORDS.items()
        for word in words
        for found in re.finditer(re.escape(word), lower)
    ]
    # 鼓风机 holds 风机: the longer word decides.
    hits = sorted(
        one for one in every if not any(other != one and other[0] <= one[0] and one[1] <= other[1] for other in every)
    )
    corrected = [found.start() for found in _CORRECTS.finditer(lower)]
    meant = [one for one in hits if _EXCLUDED.search(lower[: one[0]]) is None]
    last = max((place for place in corrected if any(one[0] > place for one in meant)), default=-1)
    keys = list(dict.fromkeys(key for start, _, key in meant if start > last))
    machines = [key for key in keys if key != _RIG]
    return machines or keys  # the rig's words are also numbers and adjectives beside another machine


def _find_by_number(number: str) -> str:
    """The sample whose title has this number; empty if none has."""
    wanted = number if number.isdecimal() else str(read_chinese_integer(number))
    titles = {one.id: _DIGITS.search(one.title.en) for one in list_samples().values()}
    return next((id for id, found in titles.items() if found is not None and found[0] == wanted), "")


def _find_unknown(asset: str, lower: str) -> str:
    """The machine that a message names by another number than the sample of its kind has: pump 3, 五号泵."""
    sample = list_samples().get(asset)
    numbered = _DIGITS.search(sample.title.en) if sample is not None else None
    if sample is None or numbered is None:
        return ""
    for word in MACHINE_WORDS[asset]:
        found = re.search(NUMBER_BESIDE.format(word=re.escape(word)), lower)
        number = next((one for one in found.groups() if one), "") if found else ""
        if found and str(number if number.isdecimal() else read_chinese_integer(number)) != numbered[0]:
            return found[0].strip()
    return ""


def match_file(message: str, workspace: Path, known: str = "") -> str:
    """The user's file that a message means, else the only one, else the sample gearbox."""
    lower, files = message.lower(), list_files(workspace)
    named = [one.name for one in files if is_named(one, lower) or one.name == known]
    return next(iter(named), files[0].name if len(files) == 1 else GEAR_SAMPLE)


def find_machine_of_gear(message: str) -> str:
    """The machine or gearbox that a message names by its number, in its words; empty for none."""
    machines = [word for words in MACHINE_WORDS.values() for word in words if not word.isdecimal()]
    return find_numbered(message, (*_GEARBOXES, *sorted(machines, key=len, reverse=True)))


def is_named(path: Path, lower: str) -> bool:
    """Whether a message, in lower case, names a file; attached files have a number before their name."""
    name = clean_name(path.name.lower())
    return name in lower or name.rpartition(".")[0] in lower


def clean_name(name: str) -> str:
    """Name of a file as its user knows it: without the number that an attached file gets."""
    return _NUMBERED.sub("", name)


def name_report(asset: str) -> str:
    """Name of the report about a record."""
    return f"report-{Path(clean_name(asset)).stem}.html"


def find_teeth(message: str) -> int | None:
    """Number of teeth that a message gives."""
    found = _TEETH.search(message)
    return int(found[1] or found[2]) if found else None


def load_gear(
    asset: str, workspace: Path, *, channel: str = "", language: Language = "zh", **given: float | None
) -> Record:
    """Record of a gear; what is given is kept as facts beside the user's file. The sample is computed."""
    path = next((one for one in list_files(workspace) if one.name == asset), None)
    told = {name: value for name, value in given.items() if value}
    if path is None:
        record = make_gear_record()
        teeth = told.pop("teeth", None)
        choose_channel(record.channels, channel or record.channel, language)
        return replace(record, **told, **({"teeth": int(teeth)} if teeth else {}))  # type: ignore[arg-type]  # the names are those of fields
    if told:
        write_facts(path, told)
    record = read_record(path)
    named = choose_channel(record.channels, channel, language) if channel else record.channel
    return record if named == record.channel else read_record(path, channel=named)


def list_files(workspace: Path) -> list[Path]:
    """Record files of a conversation's folder."""
    return list_record_files(workspace) if workspace.is_dir() else []


def list_options(workspace: Path, language: Language) -> list[JsonValue]:
    """Records to choose from, with their titles."""
    own: list[JsonObject] = [{"value": path.name, "label": clean_name(path.name)} for path in list_files(workspace)]
    shipped: list[JsonObject] = [
        {
            "value": one.id,
            "label": choose(language, en=one.title.en, zh=one.title.zh),
            "also": [choose(language, en=one.title.zh, zh=one.title.en)],
        }
        for one in list_samples().values()
    ]
    return [*own, *shipped]


def load_asset(
    asset: str,
    workspace: Path,
    *,
    rpm: float | None = None,
    fs: float | None = None,
    bearing: str | None = None,
    unit: str | None = None,
    machine_class: str | None = None,
    channel: str = "",
    language: Language = "zh",
) -> Record:
    """Load a record; what is given is kept as facts of the asset beside its file, of a sample in the folder.

    A `channel` is one as words name it, by its name or number.
    """
    path = next((one for one in list_files(workspace) if one.name == asset), None)
    if path is None and asset not in list_samples():
        names = [*(one.name for one in list_files(workspace)), *list_samples()]
        raise ToolError(
            f"there is no record {asset!r}", code="not_found", hint=suggest(asset, names) or ", ".join(names)
        )
    given: dict[str, object] = {"rpm": rpm, "fs": fs, "bearing": bearing, "unit": unit, "machine_class": machine_class}
    told = {name: value for name, value in given.items() if value}
    if bearing:
        read_bearing(bearing)  # what is no bearing is refused before it is kept
    if told:
        workspace.mkdir(parents=True, exist_ok=True)
        write_facts(path or workspace / asset, told)
    record = load_sample(asset, workspace / asset) if path is None else read_record(path)
    if not channel or (named := choose_channel(record.channels, channel, language)) == record.channel:
        return record
    assert path is not None  # a sample has one channel
    return read_record(path, channel=named)


def find_own_bearing(asset: str) -> str | None:
    """The bearing on record for a shipped machine, whatever was tried in a conversation; None for a user's file."""
    return load_sample(asset).bearing if asset in list_samples() else None


def describe_asset(asset: str, workspace: Path, language: Language) -> str:
    """Title of a record."""
    options = [one for one in list_options(workspace, language) if isinstance(one, dict) and one["value"] == asset]
    return str(options[0]["label"]) if options else asset


def detect_language(texts: Sequence[str]) -> Language:
    """Language of the first text that is not empty."""
    return language_of(next((text for text in texts if text.strip()), ""))
