"""Speed, rate and bearing in the words of a message: read whole, and what cannot be used is named."""

from metier.packs.phm.conversation import read_words


def test_numbers_and_bearings_are_read_as_people_write_them() -> None:
    told: dict[str, tuple[object, ...]] = {
        "at 1,797 rpm": (1797.0, None, None, "", ()),
        "采样率 12,000 Hz，转速 1,797 转/分，轴承 6205": (1797.0, 12000.0, "6205", "", ()),
        "按转速1750转诊断轴承": (1750.0, None, None, "", ()),
        "sampled at 51.2 kHz": (None, 51200.0, None, "", ()),
        "bearing at 0 rpm": (None, None, None, "", ("rpm",)),
        "at -5 rpm": (None, None, None, "", ("rpm",)),
        "at 99999999999 rpm, fs 0 Hz": (None, None, None, "", ("rpm", "fs")),
        "bearing SKF 6205-2RS": (None, None, "6205", "", ()),
        "bearing 9,7.94,39.04,0": (None, None, "9,7.94,39.04,0", "", ()),
        "轴承换成6309再诊断一次": (None, None, None, "6309", ()),
        "with a 6309 bearing": (None, None, None, "6309", ()),
        "test it again with bearing NU205": (None, None, None, "NU205", ()),
        "the bearing at 1750 rpm": (1750.0, None, None, "", ()),
        "diagnose 16205.mat, bearing 105.mat": (None, None, None, "", ()),
        "轴承在2024年换过": (None, None, None, "", ()),
    }
    read = {words: read_words(words) for words in told}
    assert {
        words: found
        for words, one in read.items()
        if (found := (one.rpm, one.fs, one.bearing, one.unknown_bearing, one.impossible)) != told[words]
    } == {}


def test_a_speed_in_turns_a_second_is_one_in_rpm() -> None:
    said = ("转速是30Hz", "转速25赫兹", "speed is 30 Hz", "转速1480")
    assert [read_words(one).rpm for one in said] == [1800, 1500, 1800, 1480]
