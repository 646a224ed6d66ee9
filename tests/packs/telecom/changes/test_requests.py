"""What a message wants with parameters: nothing is applied or taken back that was not asked for."""

from dataclasses import replace

from metier.packs.telecom._scenes import list_place_names
from metier.packs.telecom.changes import ChangeBounds, limits_change, limits_delivery, read_change_request
from metier.packs.telecom.twin import Parameter, Twin

_CHAOYANG = Twin().load_scenarios()["DT20260101"]
_NAMES = list_place_names(_CHAOYANG)
_FIRST, _SECOND = "460-00-100031", "460-00-100034"
_ALL_BUT_POWER: tuple[Parameter, ...] = ("tilt", "azimuth", "offset", "neighbour")


def _read(message: str) -> str:
    found = read_change_request(message, "zh", _CHAOYANG, _NAMES)
    return next((name for name in ("apply", "undo", "asks") if found.to_json()[name]), "told")


def _bounds(message: str) -> ChangeBounds | str:
    found = read_change_request(message, "zh", _CHAOYANG, _NAMES)
    return found.bounds if found.applies else found.told


def test_the_first_clause_that_acts_says_whether_to_apply_or_to_undo() -> None:
    cases = {
        "下发参数": "apply",
        "把朝阳的推荐参数下发": "apply",
        "下发参数，不行再恢复": "apply",
        "下发参数,万一有问题再撤回": "apply",
        "可以下发参数了": "apply",
        "能把参数下发一下吗": "apply",
        "apply the parameters": "apply",
        "apply the parameters again, I can always roll back later": "apply",
        "can you apply the parameters?": "apply",
        "put the new tilts into force": "apply",
        "撤销刚才下发的参数": "undo",
        "回退朝阳的参数": "undo",
        "取消刚才的下发": "undo",
        "恢复原来的参数": "undo",
        "undo the parameters of Chaoyang": "undo",
        "take back what was sent to the network": "undo",
        "please roll the parameters back": "undo",
        "Could you revert the parameters?": "undo",
        "参数已经取消下发了吗": "asks",
        "下发参数之后还能恢复吗？": "asks",
        "Can I roll back later if I apply the parameters?": "asks",
        "改了哪些参数？": "asks",
        "who applied the parameters": "asks",
        "不要下发": "told",
        "undo the parameters of 460-00-100031 only": "told",
    }
    assert {message: _read(message) for message in cases} == cases


def test_cells_parameters_places_and_numbers_bound_what_is_applied() -> None:
    cases = {
        "下发北京市朝阳区4G/5G弱覆盖的参数": ChangeBounds(),
        "看起来不错，下发吧": ChangeBounds(),
        f"只下发{_FIRST}和{_SECOND}的参数": ChangeBounds(cells=(_FIRST, _SECOND)),
        "下发100031小区的": ChangeBounds(cells=(_FIRST,)),
        "只下发下倾角": ChangeBounds(parameters=("tilt",)),
        "put the new tilts into force": ChangeBounds(parameters=("tilt",)),
        "only push the tilt changes": ChangeBounds(parameters=("tilt",)),
        "apply only the power changes": ChangeBounds(parameters=("power",)),
        "apply tilts and power for 460-00-100031": ChangeBounds(cells=(_FIRST,), parameters=("tilt", "power")),
        "除了功率都下发": ChangeBounds(parameters=_ALL_BUT_POWER),
        "功率不要动，其他都下发": ChangeBounds(parameters=_ALL_BUT_POWER),
        "leave the power alone and apply the rest": ChangeBounds(parameters=_ALL_BUT_POWER),
        "下发下倾角，功率不要动": ChangeBounds(parameters=("tilt",)),
        "下发功率和下倾角，方位角以后再说": ChangeBounds(parameters=("tilt", "power")),
        f"除了{_FIRST}以外都下发": ChangeBounds(without_cells=(_FIRST,)),
        "apply the parameters of 100031 but not the power": ChangeBounds(cells=(_FIRST,), parameters=_ALL_BUT_POWER),
        "把改善最大的3个小区的参数下发": ChangeBounds(count=3, rank="improved"),
        "push the changes for the 3 cells that improve most": ChangeBounds(count=3, rank="improved"),
        "apply to the top 3": ChangeBounds(count=3, rank="improved"),
        "下发最差的两个小区": ChangeBounds(count=2, rank="worst"),
        "下发RSRP最低的3个小区": ChangeBounds(count=3, rank="worst"),
        "apply it to the three worst cells": ChangeBounds(count=3, rank="worst"),
        "apply the parameters of the worst cell": ChangeBounds(count=1, rank="worst"),
        "下发前10条": ChangeBounds(count=10, rank="listed"),
        "下发增益最大的5条下倾角": ChangeBounds(parameters=("tilt",), count=5, rank="gain"),
    }
    assert {message: _bounds(message) for message in cases} == cases
    site = {one.id for one in _CHAOYANG.sites if "三里屯" in one.name}
    nr = {one.name for one in _CHAOYANG.carriers if one.rat == "NR"}
    there = tuple(one.id for one in _CHAOYANG.cells if one.site in site and one.carrier in nr)
    assert _bounds("下发三里屯的5G小区参数") == ChangeBounds(cells=there)


def test_words_that_may_bound_an_order_and_are_not_understood_are_asked_about() -> None:
    cases = {
        "下发一半": "一半",
        "下发信号差的小区": "信号差",
        "下发市中心的小区": "市中心",
        "下发不影响用户的参数": "不影响用户",
        "晚上再下发": "晚上",
        "只下发那些": "逐行勾选",
        "apply half of them": "half",
        "apply the safe ones": "safe ones",
        "只下发改善最大的小区": "几个小区",
        "下发增益最大的5条": "两种单位",
        "除了最差的3个小区都下发": "看不出",
        "下发下倾角，方位角，功率不要动": "看不出",
        "下发改善最大的3个小区和最差的2个小区": "看不出",
        "不要下发功率": "看不出",
        "撤销下倾角的下发": "不能只撤销其中一部分",
        "撤销昨天的下发": "昨天",
    }
    wrong = {message: told for message, part in cases.items() if part not in str(told := _bounds(message))}
    assert wrong == {}


def test_what_holds_for_a_part_of_an_order_only_is_asked_about_and_never_read_as_holding_for_all() -> None:
    unclear, unread = "看不出", "没有读懂"
    cases = {
        "下发100031的功率和100034的下倾角": unclear,
        "100031下发功率，100034下发下倾角": unclear,
        "下发5G的功率，4G的下倾角": unclear,
        "apply the tilt of 100031 and the power of 100034": unclear,
        "只下发100031的下倾角，其他小区的功率": unclear,
        "apply 100031 and 100034 but not the power of 100034": unclear,
        "除了100031的功率都下发": unclear,
        "下发三里屯，100031的功率不要动": unclear,
        "100031不要动功率，其他都下发": unclear,
        "下发最差的3个小区和100031": unclear,
        "apply the 3 worst cells and 100031": unclear,
        "apply all except the tilt, and power": unclear,
        "apply all but the worst cell": unclear,
        "下发最差的三成小区": unread,
        "下发最差的10%小区": unread,
        "下发最差的3个基站": unread,
        "下发最差的3到5个小区": unread,
        "apply the worst 10% of cells": unread,
        "apply the three worst sites": unread,
        "apply the top 3 sites": unread,
        "如果RSRP改善超过5dB就下发": unread,
        "下发参数，如果增益大于5": unread,
        "下发参数，如果是周末就不要": unread,
        "apply the parameters, if there is no rain": unread,
        "apply the parameters later": "「later」",
        "以后再下发": "「以后」",
        "下发倾角，撤销功率": "既要下发又要撤销",
        "先撤销再下发": "既要下发又要撤销",
        "undo and apply again": "既要下发又要撤销",
        "把刚才撤销的重新下发": "要下发哪些",
        "apply what was undone": "要下发哪些",
    }
    wrong = {message: told for message, part in cases.items() if part not in str(told := _bounds(message))}
    assert wrong == {}


def test_an_order_with_one_set_of_bounds_is_read_whatever_words_say_it() -> None:
    there = tuple(
        one.id for one in _CHAOYANG.cells if one.site in {s.id for s in _CHAOYANG.sites if "三里屯" in s.name}
    )
    cases = {
        "push all but the tilt": ChangeBounds(parameters=("azimuth", "power", "offset", "neighbour")),
        "apply every change but the power": ChangeBounds(parameters=_ALL_BUT_POWER),
        "apply all cells but 100031": ChangeBounds(without_cells=(_FIRST,)),
        "apply tilt and power of 100031 and 100034": ChangeBounds((_FIRST, _SECOND), parameters=("tilt", "power")),
        "下发三里屯最差的3个小区": ChangeBounds(there, count=3, rank="worst"),
        "apply the 3 worst cells of 三里屯": ChangeBounds(there, count=3, rank="worst"),
        "下发吧，不行再说": ChangeBounds(),
        "apply it, it can be undone": ChangeBounds(),
        "下发参数\ue100": ChangeBounds(),
    }
    assert {message: _bounds(message) for message in cases} == cases


def test_of_sites_whose_names_begin_alike_the_one_that_is_named_is_meant_and_a_shared_name_is_asked_about() -> None:
    sites = list(_CHAOYANG.sites)
    names = ("朝阳区国贸", "朝阳区国贸桥", "朝阳区东门", "海淀区东门")
    alike = replace(
        _CHAOYANG, sites=(*(replace(one, name=name) for one, name in zip(sites, names, strict=False)), *sites[4:])
    )
    of = {
        name: tuple(one.id for one in alike.cells if one.site == site.id)
        for name, site in zip(names, sites, strict=False)
    }

    def read(message: str) -> ChangeBounds | str:
        found = read_change_request(message, "zh", alike, _NAMES)
        return found.bounds if found.applies else found.told

    assert read("下发国贸的参数") == ChangeBounds(of["朝阳区国贸"])
    assert read("下发国贸桥的参数") == ChangeBounds(of["朝阳区国贸桥"])
    assert "「东门」" in str(read("下发东门的参数"))
    assert read("下发海淀区东门的参数") == ChangeBounds(of["海淀区东门"])


def test_an_order_of_some_parameters_is_known_as_one_in_a_conversation_about_a_network() -> None:
    cases = {
        "只下发460-00-100031": (True, True),
        "only push the tilt changes": (True, True),
        "apply it to the three worst cells": (True, True),
        "下发信号差的小区": (True, True),
        "apply half of them": (True, False),
        "put the worst cells in a table": (False, False),
        "下发了哪些下倾角": (False, False),
        "下发参数": (False, False),
        "撤销参数": (False, False),
        "apply a filter to the table": (False, False),
    }
    found = {one: (limits_change(one, _CHAOYANG, _NAMES), limits_delivery(one)) for one in cases}
    assert found == cases
