"""Names for people: what a form shows of a parameter and a card of a tool."""

from typing import Annotated

import pytest
from pydantic import Field

from metier.language import BilingualText
from metier.tools import add_titles, function_tool, show_as

City = Annotated[str, Field(json_schema_extra=show_as("城市", "City"))]
Unit = Annotated[str, Field(json_schema_extra=show_as("单位", "Unit", labels={"c": {"zh": "摄氏度", "en": "Celsius"}}))]
Known = Annotated[str, Field(json_schema_extra=show_as("已知", "Known", hidden=True, widget="file"))]


def find_weather(city: City, known: Known = "") -> str:
    """查天气。Find the weather."""
    return city + known


def read_unit(unit: Unit) -> str:
    """Read a unit."""
    return unit


def count(city: City) -> int:
    """Count the letters."""
    return len(city)


def test_a_parameter_has_its_title_and_says_if_it_is_hidden() -> None:
    fields = function_tool(find_weather).spec.parameters["properties"]
    assert isinstance(fields, dict)
    assert fields["city"]["x-ui"] == {"title": {"zh": "城市", "en": "City"}}
    assert fields["known"]["x-ui"] == {"title": {"zh": "已知", "en": "Known"}, "hidden": True, "widget": "file"}


def test_the_values_of_a_parameter_have_names_for_people() -> None:
    fields = function_tool(read_unit).spec.parameters["properties"]
    assert isinstance(fields, dict)
    labels = {"c": {"zh": "摄氏度", "en": "Celsius"}}
    assert fields["unit"]["x-ui"] == {"title": {"zh": "单位", "en": "Unit"}, "labels": labels}


def test_tools_have_titles_and_each_half_of_a_description_in_its_language() -> None:
    titles = {"find_weather": BilingualText("天气", "Weather"), "count": BilingualText("计数", "Count")}
    weather, counted = add_titles((function_tool(find_weather), function_tool(count)), titles)
    assert (weather.spec.title("zh"), weather.spec.title("en")) == ("天气", "Weather")
    described = {"zh": "查天气。", "en": "Find the weather."}
    assert weather.spec.parameters["x-ui"] == {"title": {"zh": "天气", "en": "Weather"}, "description": described}
    assert counted.spec.parameters["x-ui"] == {"title": {"zh": "计数", "en": "Count"}}


def test_a_tool_without_a_title_is_named_when_titles_are_added() -> None:
    with pytest.raises(KeyError, match="count"):
        add_titles([function_tool(count)], {})
