"""Generate the shipped scenarios of the telecom pack: `python scripts/make_scenarios.py`.

`--searches` writes only what the optimiser finds for each of them, so that their first simulation is a replay.
Districts are real; streets and networks are invented. Each scenario starts as a sound network and is then degraded on
purpose, as its `ScenarioPlan` says.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, degrees, hypot, radians, sqrt
from pathlib import Path
from random import Random

import numpy as np

from metier.packs.telecom.twin import compute, load_scenario, optimise
from metier.packs.telecom.twin.radio import pick_rows
from metier.packs.telecom.twin.tuning import write_shipped_search

FOLDER = Path(__file__).parents[1] / "src" / "metier" / "packs" / "telecom" / "scenarios"
STEP_M, COUNT = 12.0, 200
SIZE_M = STEP_M * COUNT
LAT_M, LON_M = 110_574.0, 111_320.0


@dataclass(frozen=True)
class Carrier:
    name: str
    lines: tuple[str, ...]
    antenna: str
    power_dbm: float


LTE = Carrier(
    "LTE1800",
    ('rat = "LTE"', "frequency_mhz = 1850", "bandwidth_mhz = 20", "resource_blocks = 100", "layers = 1.6"),
    "lte-panel",
    46.0,
)
LTE21 = Carrier(
    "LTE2100",
    ('rat = "LTE"', "frequency_mhz = 2130", "bandwidth_mhz = 20", "resource_blocks = 100", "layers = 1.6"),
    "lte-panel",
    46.0,
)
_NR_LINES = ("bandwidth_mhz = 100", "resource_blocks = 273", "spacing_khz = 30", "layers = 3.2")
NR26 = Carrier(
    "NR2600",
    ('rat = "NR"', "frequency_mhz = 2565", *_NR_LINES, "dl_share = 0.8", "ul_share = 0.2"),
    "nr-array",
    52.0,
)
NR35 = Carrier(
    "NR3500",
    ('rat = "NR"', "frequency_mhz = 3450", *_NR_LINES, "dl_share = 0.74", "ul_share = 0.23"),
    "nr-array",
    53.0,
)


@dataclass
class Mast:
    id: str
    name: str
    x_m: float
    y_m: float
    height_m: float


@dataclass
class Sector:
    id: str
    name: str
    mast: Mast
    carrier: Carrier
    azimuth_deg: float
    tilt_deg: float
    power_dbm: float
    mechanical_deg: float = 3.0


@dataclass(frozen=True)
class Spot:
    name: str
    x_m: float
    y_m: float
    radius_m: float
    users: int


@dataclass(frozen=True)
class ScenarioPlan:
    id: str
    title_zh: str
    title_en: str
    city: str
    district: str
    network: str
    problem: str
    longitude: float
    latitude: float
    carriers: tuple[Carrier, ...]
    masts: int
    spacing_m: float
    users: int
    dl_mbps: float
    ul_mbps: float
    seed: int
    places: str
    blocks: tuple[tuple[str, float], ...]
    degrade: Callable[[list[Mast], list[Sector]], None]
    spots: tuple[Spot, ...] = ()
    water: tuple[tuple[float, float, float, float], ...] = ()
    hole: tuple[float, float] | None = None
    missing: int = 1
    is_cut: Callable[[Sector, Sector], bool] = lambda one, other: False
    propagation: str = "uma"


def _make_random(seed: int) -> Random:
    return Random(seed)  # noqa: S311  (streets, not secrets)


def place_masts(plan: ScenarioPlan) -> list[Mast]:
    """Place masts on a jittered hexagonal lattice; the sites nearest to a coverage hole are left out."""
    draw, spacing = _make_random(plan.seed), plan.spacing_m
    points, row, y_m = [], 0, spacing * 0.35
    while y_m < SIZE_M:
        x_m = spacing * (0.3 if row % 2 else 0.8)
        while x_m < SIZE_M:
            points.append((x_m + draw.uniform(-35, 35), y_m + draw.uniform(-35, 35)))
            x_m += spacing
        y_m, row = y_m + spacing * sqrt(3) / 2, row + 1
    if plan.hole:
        hole_x, hole_y = plan.hole
        points.sort(key=lambda point: hypot(point[0] - hole_x, point[1] - hole_y))
        points = points[plan.missing :]
    dry = [point for point in points if not any(_is_inside(point, lake) for lake in plan.water)]
    middle = SIZE_M / 2
    dry.sort(key=lambda point: hypot(point[0] - middle, point[1] - middle))
    assert len(dry) >= plan.masts, f"{plan.id}: {len(dry)} sites fit, {plan.masts} wanted"
    names = plan.places.split()
    chosen = sorted(dry[: plan.masts], key=lambda point: (round(point[1] / spacing), point[0]))
    return [
        Mast(f"S{number:02d}", f"{plan.district}{names[number - 1]}", x_m, y_m, round(draw.uniform(25, 33), 1))
        for number, (x_m, y_m) in enumerate(chosen, 1)
    ]


def _is_inside(point: tuple[float, float], box: tuple[float, float, float, float]) -> bool:
    return box[0] < point[0] < box[0] + box[2] and box[1] < point[1] < box[1] + box[3]


def build_sectors(plan: ScenarioPlan, masts: Sequence[Mast]) -> list[Sector]:
    """Three sectors per mast and carrier, tilted to the distance of the next site."""
    draw = _make_random(plan.seed + 1)
    made: list[Sector] = []
    for mast in masts:
        turn = draw.choice((0, 10, 20, 30))
        tilt = degrees(atan2(mast.height_m - 1.5, plan.spacing_m * 0.62))
        for carrier in plan.carriers:
            for sector in range(3):
                number = len(made) + 1
                made.append(
                    Sector(
                        f"460-00-1000{number:02d}",
                        f"{mast.name}-{carrier.name[:-4]}-{sector + 1}",
                        mast,
                        carrier,
                        float((turn + 120 * sector) % 360),
                        round(max(2.0, tilt - 3.0 + 3.5), 0),
                        carrier.power_dbm,
                    )
                )
    return made


def distance_m(sector: Sector, other: Sector) -> float:
    return hypot(sector.mast.x_m - other.mast.x_m, sector.mast.y_m - other.mast.y_m)


def find_relations(plan: ScenarioPlan, made: Sequence[Sector]) -> dict[str, list[str]]:
    """Neighbour relations in both directions: the own mast, and every mast of the carrier within 1.75 spacings."""
    found: dict[str, list[str]] = {sector.id: [] for sector in made}
    for one in made:
        for other in made:
            if one is other or plan.is_cut(one, other) or plan.is_cut(other, one):
                continue
            own = distance_m(one, other) == 0 and (one.carrier is other.carrier or one.azimuth_deg == other.azimuth_deg)
            if own or (one.carrier is other.carrier and 0 < distance_m(one, other) < 1.75 * plan.spacing_m):
                found[one.id].append(other.id)
    return found


def draw_patches(plan: ScenarioPlan) -> Iterator[tuple[str, float, float, float, float]]:
    """City blocks between streets, each of one clutter class; built-up blocks hold two or three houses."""
    draw, pitch = _make_random(plan.seed + 2), 168.0
    names, weights = [name for name, _ in plan.blocks], [weight for _, weight in plan.blocks]
    across = int(SIZE_M // pitch)
    for row in range(across + 1):
        for column in range(across + 1):
            x_m, y_m = column * pitch + 24, row * pitch + 24
            if x_m > SIZE_M - 48 or y_m > SIZE_M - 48:
                continue
            kind = draw.choices(names, weights)[0]
            if kind in ("park", "hill"):
                yield kind, x_m, y_m, 144.0, 144.0
            elif kind != "street":
                for _ in range(draw.choice((2, 2, 3))):
                    wide, high = draw.choice((36.0, 48.0, 60.0)), draw.choice((36.0, 48.0, 72.0))
                    yield kind, x_m + draw.choice((0, 12, 24, 60, 72)), y_m + draw.choice((0, 12, 36, 60)), wide, high
    for lake in plan.water:
        yield ("water", *lake)


def write_scenario(plan: ScenarioPlan) -> None:
    """Write a scenario: neighbours come from the handovers of the sound network, which is then degraded."""
    masts = place_masts(plan)
    made = build_sectors(plan, masts)
    known = find_relations(plan, made)
    path = FOLDER / f"{plan.id}.toml"
    FOLDER.mkdir(parents=True, exist_ok=True)
    path.write_text(_render(plan, masts, made, known), "utf-8")
    for one, other in find_handovers(path):
        if not plan.is_cut(made[one], made[other]) and not plan.is_cut(made[other], made[one]):
            known[made[one].id] = sorted({*known[made[one].id], made[other].id})
            known[made[other].id] = sorted({*known[made[other].id], made[one].id})
    plan.degrade(masts, made)
    path.write_text(_render(plan, masts, made, known), "utf-8")


def find_handovers(path: Path) -> set[tuple[int, int]]:
    """Pairs of cells that carry more than 0.3 % of the source cell's handovers."""
    state = compute(load_scenario(path))
    found = set()
    for band in state.bands:
        edge = np.flatnonzero(pick_rows(band.rsrp, band.second) >= band.level - 3)
        table = np.zeros((band.rows.size, band.rows.size))
        np.add.at(table, (band.best[edge], band.second[edge]), state.radio.ground.users[edge])
        share = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-9)
        found |= {(int(band.rows[one]), int(band.rows[other])) for one, other in np.argwhere(share > 0.003)}
    return found


def _render(plan: ScenarioPlan, masts: Sequence[Mast], made: Sequence[Sector], known: dict[str, list[str]]) -> str:
    return (
        "\n".join(
            [*_render_head(plan), *_render_ground(plan), *_render_masts(plan, masts), *_render_cells(made, known)]
        )
        + "\n"
    )


def _render_head(plan: ScenarioPlan) -> Iterator[str]:
    yield f"# {plan.title_en}. Written by scripts/make_scenarios.py; the schema is in docs/guides/telecom-twin.md."
    yield "patches = ["
    for kind, x_m, y_m, wide, high in draw_patches(plan):
        yield f'  {{clutter = "{kind}", x_m = {x_m:g}, y_m = {y_m:g}, width_m = {wide:g}, height_m = {high:g}}},'
    yield from (
        "]",
        "",
        "[scenario]",
        f'id = "{plan.id}"',
        f'title_zh = "{plan.title_zh}"',
        f'title_en = "{plan.title_en}"',
        f'city = "{plan.city}"',
        f'district = "{plan.district}"',
        f'network = "{plan.network}"',
        f'problem = "{plan.problem}"',
        "",
        "[area]",
        f"longitude = {plan.longitude}",
        f"latitude = {plan.latitude}",
        f"width_m = {SIZE_M:g}",
        f"height_m = {SIZE_M:g}",
        f"step_m = {STEP_M:g}",
        "",
        "[model]",
        f'propagation = "{plan.propagation}"',
        f"seed = {plan.seed}",
        'ground = "street"',
        "",
        "[traffic]",
        f"users = {plan.users}",
        f"dl_mbps = {plan.dl_mbps}",
        f"ul_mbps = {plan.ul_mbps}",
        "nr_share = 0.6",
    )
    for spot in plan.spots:
        yield from ("", "[[traffic.hotspot]]", f'name = "{spot.name}"', f"x_m = {spot.x_m:g}", f"y_m = {spot.y_m:g}")
        yield from (f"radius_m = {spot.radius_m:g}", f"users = {spot.users}")
    for carrier in plan.carriers:
        yield from ("", "[[carrier]]", f'name = "{carrier.name}"', *carrier.lines)
    yield from ("", "[[antenna]]", 'name = "lte-panel"', "rows = 8")
    yield from ("", "[[antenna]]", 'name = "nr-array"', "rows = 8", "array_gain_db = 2.0", "receive_gain_db = 9.0")


def _render_ground(plan: ScenarioPlan) -> Iterator[str]:
    classes = (
        ("street", "none", 0, 1.5, 1.0),
        ("park", "none", 4, 1.5, 0.5),
        ("hill", "none", 9, 1.5, 0.15),
        ("water", "none", 0, 1.5, 0.02),
        ("houses", "low_loss", 0, 4.5, 3.0),
        ("offices", "high_loss", 0, 9.0, 4.0),
    )
    for name, indoor, loss, height, density in classes:
        yield from ("", "[[clutter]]", f'name = "{name}"', f'indoor = "{indoor}"', f"loss_db = {loss}")
        yield from (f"height_m = {height}", f"density = {density}")


def _render_masts(plan: ScenarioPlan, masts: Sequence[Mast]) -> Iterator[str]:
    for mast in masts:
        longitude = plan.longitude + mast.x_m / (LON_M * cos(radians(plan.latitude)))
        latitude = plan.latitude + mast.y_m / LAT_M
        yield from ("", "[[site]]", f'id = "{mast.id}"', f'name = "{mast.name}"')
        yield from (f"longitude = {longitude:.6f}", f"latitude = {latitude:.6f}", f"height_m = {mast.height_m}")


def _render_cells(made: Sequence[Sector], known: dict[str, list[str]]) -> Iterator[str]:
    for sector in made:
        names = ", ".join(f'"{name}"' for name in known[sector.id])
        yield from ("", "[[cell]]", f'id = "{sector.id}"', f'name = "{sector.name}"', f'site = "{sector.mast.id}"')
        yield from (f'carrier = "{sector.carrier.name}"', f'antenna = "{sector.carrier.antenna}"')
        yield from (f"azimuth_deg = {sector.azimuth_deg:g}", f"mechanical_tilt_deg = {sector.mechanical_deg:g}")
        yield from (f"electrical_tilt_deg = {sector.tilt_deg:g}", f"power_dbm = {sector.power_dbm:g}")
        yield f"neighbours = [{names}]"


def bearing_deg(sector: Sector, x_m: float, y_m: float) -> float:
    return degrees(atan2(x_m - sector.mast.x_m, y_m - sector.mast.y_m)) % 360


def angle_off_deg(sector: Sector, x_m: float, y_m: float) -> float:
    return abs((sector.azimuth_deg - bearing_deg(sector, x_m, y_m) + 180) % 360 - 180)


def weaken(at: tuple[float, float], within_m: float, tilt_deg: float, loss_db: float) -> Callable[..., None]:
    """Degrade coverage around a place: too much downtilt and too little power."""

    def degrade(masts: list[Mast], made: list[Sector]) -> None:
        for sector in made:
            away = hypot(sector.mast.x_m - at[0], sector.mast.y_m - at[1])
            if away < within_m and angle_off_deg(sector, *at) < 75:
                sector.tilt_deg, sector.power_dbm = tilt_deg, sector.power_dbm - loss_db
            elif away < within_m:
                sector.power_dbm -= loss_db / 2

    return degrade


def overshoot(numbers: Sequence[int]) -> Callable[..., None]:
    """Set some sites to almost no tilt and full power."""

    def degrade(masts: list[Mast], made: list[Sector]) -> None:
        for sector in made:
            if int(sector.mast.id[1:]) in numbers:
                sector.tilt_deg, sector.mechanical_deg, sector.power_dbm = 3.0, 0.0, 55.0

    return degrade


def clash(at: tuple[float, float], within_m: float) -> Callable[..., None]:
    """Turn the sectors around a place towards it, with little tilt and high power."""

    def degrade(masts: list[Mast], made: list[Sector]) -> None:
        for sector in made:
            away = hypot(sector.mast.x_m - at[0], sector.mast.y_m - at[1])
            if away < within_m:
                if angle_off_deg(sector, *at) < 60:
                    sector.azimuth_deg = round(bearing_deg(sector, *at) / 5) * 5 % 360
                sector.tilt_deg, sector.mechanical_deg, sector.power_dbm = 1.0, 1.0, 47.0

    return degrade


def keep_sound(masts: list[Mast], made: list[Sector]) -> None:
    """Leave the network sound; the scenario has too many users instead."""


def cut_far_pairs(number: int) -> Callable[[Sector, Sector], bool]:
    """Remove the relations between one mast and every second other mast."""
    return lambda one, other: (
        one.mast.id == f"S{number:02d}" and one.mast is not other.mast and int(other.mast.id[1:]) % 2 == 0
    )


CHAOYANG = "国贸 呼家楼 团结湖 三里屯 工体 朝外 大望路 金台夕照 红庙 水碓子 农展馆 亮马桥 东大桥 永安里 双井 八王坟"
HAIDIAN = (
    "中关村 海淀黄庄 知春路 苏州街 北大东门 五道口 清华园 大钟寺 人民大学 双榆树 科学院 "
    "保福寺 成府路 蓝旗营 万泉庄 稻香园 海淀南路 巴沟 四通桥 中关村南 知春里 学院南路"
)
PUDONG = (
    "陆家嘴 东昌路 商城路 世纪大道 浦电路 源深 崂山 潍坊 梅园 花木 塘桥 "
    "张杨路 福山路 东方路 乳山 洋泾 民生路 竹园 锦绣路 滨江 上海科技馆 杨高南路"
)
XIHU = "黄龙 曙光路 保俶路 断桥 北山街 玉泉 文三路 天目山路 学院路 古荡 青芝坞 植物园 灵隐 浙大 宝石山 松木场"
TIANHE = (
    "珠江新城 猎德 冼村 体育西 体育中心 天河城 石牌桥 岗顶 林和西 广州东站 天河南 "
    "五山 华师 员村 潭村 花城大道 黄埔大道 暨大 龙口西 天河北 杨箕"
)

PLANS = (
    ScenarioPlan(
        "DT20260101",
        "北京市朝阳区4G/5G弱覆盖",
        "Chaoyang, Beijing: weak 4G/5G coverage",
        "北京市",
        "朝阳区",
        "4G/5G",
        "weak_coverage",
        116.445,
        39.905,
        (LTE, NR26),
        16,
        560.0,
        2400,
        0.4,
        0.18,
        20260101,
        CHAOYANG,
        (("houses", 5), ("offices", 3), ("park", 1), ("street", 1)),
        weaken((1250.0, 1250.0), 900.0, 14.0, 5.0),
        hole=(1250.0, 1250.0),
        missing=2,
    ),
    ScenarioPlan(
        "DT20260102",
        "北京市海淀区5G越区覆盖",
        "Haidian, Beijing: 5G overshoot",
        "北京市",
        "海淀区",
        "5G",
        "overshoot",
        116.300,
        39.972,
        (replace(NR26, power_dbm=47.0),),
        22,
        530.0,
        2400,
        2.2,
        0.15,
        20260102,
        HAIDIAN,
        (("houses", 5), ("offices", 3), ("park", 2), ("street", 1)),
        overshoot((6, 13, 18)),
    ),
    ScenarioPlan(
        "DT20260103",
        "上海市浦东新区4G高干扰",
        "Pudong, Shanghai: 4G interference",
        "上海市",
        "浦东新区",
        "4G",
        "interference",
        121.505,
        31.222,
        (LTE,),
        22,
        520.0,
        1900,
        0.55,
        0.12,
        20260103,
        PUDONG,
        (("houses", 4), ("offices", 4), ("park", 1), ("street", 2)),
        clash((1200.0, 1200.0), 950.0),
        is_cut=cut_far_pairs(12),
    ),
    ScenarioPlan(
        "DT20260104",
        "杭州市西湖区4G/5G弱覆盖",
        "Xihu, Hangzhou: weak 4G/5G coverage",
        "杭州市",
        "西湖区",
        "4G/5G",
        "weak_coverage",
        120.118,
        30.250,
        (LTE21, NR35),
        13,
        540.0,
        1800,
        0.5,
        0.16,
        20260104,
        XIHU,
        (("houses", 5), ("offices", 2), ("hill", 3), ("park", 2), ("street", 1)),
        weaken((1000.0, 1400.0), 900.0, 13.0, 5.0),
        water=((1500.0, 0.0, 900.0, 1000.0),),
        hole=(1000.0, 1400.0),
        missing=2,
    ),
    ScenarioPlan(
        "DT20260105",
        "广州市天河区5G高负荷",
        "Tianhe, Guangzhou: 5G overload",
        "广州市",
        "天河区",
        "5G",
        "load",
        113.315,
        23.120,
        (NR26,),
        21,
        540.0,
        2600,
        2.4,
        0.14,
        20260105,
        TIANHE,
        (("houses", 4), ("offices", 5), ("park", 1), ("street", 1)),
        keep_sound,
        spots=(
            Spot("体育中心", 900.0, 1500.0, 130.0, 420),
            Spot("珠江新城", 1450.0, 800.0, 150.0, 460),
            Spot("岗顶", 1900.0, 1650.0, 120.0, 330),
        ),
    ),
)


def write_search(id: str) -> None:
    """Search for the scenario's own problem and store the changes beside the scenarios."""
    scenario = load_scenario(id)
    found = optimise(scenario)
    path = write_shipped_search(scenario, found.changes)
    print(f"wrote {path.name}: {len(found.changes)} changes")


def main() -> None:
    only_searches = "--searches" in sys.argv[1:]
    for plan in PLANS:
        if not only_searches:
            write_scenario(plan)
            print(f"wrote {plan.id}: {plan.title_zh}")
        write_search(plan.id)


if __name__ == "__main__":
    main()
