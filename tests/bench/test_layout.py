"""The figures of the layout: counted, not timed, so that every one of them has to hold."""

from pathlib import Path

from metier.bench._layout import count_floors, measure_layout, read_imports


def test_the_layout_holds_its_figures() -> None:
    figures = list(measure_layout())
    assert [one.unit for one in figures] == ["floors", "files"]
    assert [f"{one.name}: {one.value:g} {one.unit}" for one in figures if not one.ok] == []


def test_floors_are_the_longest_chain_of_imports_between_parts(tmp_path: Path) -> None:
    for name, text in {
        "__init__.py": "from shop._top import Top\n",
        "_top.py": "from shop.middle import walk\nimport json\n",
        "middle/__init__.py": "from shop.middle._walk import walk\n",
        "middle/_walk.py": "def walk():\n    from shop._base import base\n    from shop import middle\n",
        "_base.py": "import shop._base\n",
        "_alone.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    imports = read_imports(tmp_path, "shop")
    assert imports == {
        "_top": {"middle"},
        "middle": {"_base"},
        "_base": frozenset(),
        "_alone": frozenset(),
    }
    assert count_floors(imports) == 3
