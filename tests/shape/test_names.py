"""Names that a newcomer can guess: unique classes, verbs for functions, no metaphors."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import SOURCE, Node, find_functions, find_nodes, list_modules


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Past participles that do not end in -ed. Those that are also the base form of a verb (read, set, cut, run) are verbs.
IRREGULAR = _words(
    """arisen awoken been begun bent bidden bitten blown born borne bound bred broken brought built burnt bought
    caught chosen clung crept dealt done drawn dreamt driven drunk dug dwelt eaten fallen fed felt fled flown forbidden
    forgiven forgotten fought found frozen given gone gotten ground grown heard held hidden hung kept knelt known laid
    lain leant leapt learnt led left lent lit lost made meant met mistaken mown overridden overthrown paid proven
    rebuilt redone remade rewritten ridden risen rung said sat sawn seen sent sewn shaken shone shot shown shrunk slain
    slept slid slung sold sought sown spelt spent spilt spoilt spoken sprung spun stolen stood struck stuck stung
    strewn striven strung sung sunk swept swollen sworn swum swung taken taught thought thrown told torn trodden
    understood undertaken undone unknown unseen upheld withdrawn withheld withstood woken won worn wound woven written
    wrung"""
)
# Words on -ed that are no participles.
NO_PARTICIPLES = _words("bleed breed embed exceed feed hundred need proceed red seed shed speed succeed weed")
# Names that another library has given: hooks of asyncio's protocols.
GIVEN_NAMES = frozenset({"connection_lost", "connection_made", "data_received"})
# What may stand before a participle: a predicate, or a verb whose object it is (`list_approved`, `is_paused`).
PREDICATES = _words("are asks begins denies from has is keeps may on takes to touches was")
VERBS = _words(
    """add adopt answer apply ask begin bold build check clean collect compare compute confirm copy count cut
    decide delete describe doubt draft draw dress drop dry emit end ensure enter explain fetch find finish format
    get guess inspect interrupt iter join keep leave list load log make mark mask match measure merge move name
    note open parse pick prepare propose publish purge put quote raise rank read record refuse reject release
    remove rename render repair replace replay report resolve restate resume return revoke rewrite run save say
    scale scan select send set share show skip sort split store strike strip style subtract sum take tell test
    track trim undo update wait warn watch write yield"""
)
# Pydantic models of events and answers have the name of what they publish.
PUBLISHED = ("events/", "server/schema/")
METAPHORS = re.compile(r"(Shelf|House|Desk|Kit|Told|Said|Heard|Seen|Judged)")
# A house of a horoscope is one.
METAPHOR_NAMES = re.compile(r"_*(shelf|shelves|desk|desks|kit|stand_in)")
# Fields of a result that read as an adjective: `case.passed`.
PROPERTIES = frozenset({"property", "cached_property", "setter"})
PREPOSITIONS = _words("at by for from in into of off on out over to under up with")


def _list_nodes(kind: type[Node]) -> Iterator[tuple[str, Node]]:
    """Nodes of a kind, each with the name of its module."""
    for path in _list_modules():
        name = path.relative_to(SOURCE).as_posix()
        yield from ((name, node) for node in find_nodes(path, kind))


def _list_modules() -> list[Path]:
    return [path for path in list_modules() if "versions" not in path.parts]


def test_a_class_name_means_one_thing() -> None:
    where = defaultdict(list)
    for name, node in _list_nodes(ast.ClassDef):
        if not name.startswith(PUBLISHED):
            where[node.name].append(name)
    assert {name: places for name, places in where.items() if len(places) > 1} == {}


def test_a_function_is_not_named_by_a_participle() -> None:
    """A participle says that something happened, not what the function does; add a verb before it."""
    bare = [
        f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}"
        for path in _list_modules()
        for node in find_functions(path)
        if _is_bare_participle(node.name)
        and not any(ast.unparse(one).rpartition(".")[2] in PROPERTIES for one in node.decorator_list)
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("name", "is_bare"),
    [
        ("merged", True),
        ("_settled", True),
        ("told", True),
        ("chosen", True),
        ("limit_reached", True),
        ("looked_at", True),
        ("is_settled", False),
        ("list_merged", False),
        ("_read", False),
        ("split", False),
        ("need", False),
        ("read_speed", False),
        ("connection_lost", False),
        ("started_event", False),
    ],
)
def test_every_participle_is_seen(name: str, is_bare: bool) -> None:
    assert _is_bare_participle(name) == is_bare


def _is_bare_participle(name: str) -> bool:
    first, *rest = words = name.strip("_").split("_")
    if name in GIVEN_NAMES:
        return False
    if not rest or (_is_participle(first) and rest[0] in PREPOSITIONS and len(rest) == 1):
        return _is_participle(first)
    return _is_participle(words[-1]) and first not in PREDICATES | VERBS


def _is_participle(word: str) -> bool:
    return word in IRREGULAR or (re.fullmatch(r"[a-z]{2,}ed", word) is not None and word not in NO_PARTICIPLES)


def test_a_type_is_not_a_metaphor() -> None:
    riddles = [
        f"{name}: {node.name}" for name, node in _list_nodes(ast.ClassDef) if METAPHORS.fullmatch(node.name.lstrip("_"))
    ]
    assert riddles == []


def test_a_value_is_not_a_metaphor() -> None:
    names = {(node.id, place) for place, node in _list_nodes(ast.Name)}
    names |= {(node.arg, place) for place, node in _list_nodes(ast.arg)}
    names |= {(node.arg or "", place) for place, node in _list_nodes(ast.keyword)}
    names |= {(node.attr, place) for place, node in _list_nodes(ast.Attribute)}
    assert [f"{place}: {name}" for name, place in names if METAPHOR_NAMES.fullmatch(name)] == []


def test_a_limit_is_called_max() -> None:
    most = [f"{name}: {node.id}" for name, node in _list_nodes(ast.Name) if re.match(r"_?(MOST|most)_", node.id)]
    assert most == []
