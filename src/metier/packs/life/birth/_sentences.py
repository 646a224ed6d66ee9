"""Sentences about birth data: what is wrong with a form, and what was assumed."""

from typing import Final

from metier.language import Sentences

PROBLEMS: Final = Sentences(
    {
        "birth_date_missing": ("The date of birth is missing.", "还没有填写出生日期。"),
        "birth_date_format": ("{date} is not a date.", "“{date}”不是日期。"),
        "birth_no_such_day": (
            "There is no {date}: {month} had {days} days.",
            "没有{date}这一天：{month}只有{days}天。",
        ),
        "birth_no_leap_month": ("The lunar year {year} has no leap month {month}.", "农历{year}年没有闰{month}月。"),
        "birth_future": ("{date} is in the future.", "{date}还没有到。"),
        "birth_too_early": ("{date} is before 1900.", "{date}早于1900年。"),
        "birth_time_missing": (
            "The time of birth is missing; “unknown” is an answer too.",
            "还没有填写出生时间；不知道也可以选“不知道”。",
        ),
        "birth_time_format": ("{time} is not a time.", "“{time}”不是时间。"),
        "birth_no_such_time": (
            "Clocks in {place} never showed {time} on {date}: summer time began and an hour was skipped.",
            "{date}的{time}不存在：当天{place}开始夏令时，时钟往前拨了一小时。",
        ),
        "birth_time_twice": (
            "Clocks in {place} showed {time} twice on {date}: summer time ended.",
            "{date}的{time}出现过两次：当天{place}结束夏令时，时钟往回拨了一小时。",
        ),
        "birth_place_missing": ("The place of birth is missing.", "还没有填写出生地点。"),
        "birth_place_unknown": ("The place {place} is not in the table.", "地点表里没有“{place}”。"),
        "birth_place_same_name": ("Several places are named {place}.", "叫“{place}”的地方有好几个。"),
        "birth_longitude": ("{longitude} is not a longitude.", "“{longitude}”不是经度。"),
        "birth_clock_missing": (
            "In Xinjiang two times are in use; which one is on the paper?",
            "新疆同时使用两种时间：记录的是哪一种？",
        ),
    }
)
HINTS: Final = Sentences(
    {
        "birth_date_missing": ("Write it as 1990-06-15.", "请写成 1990-06-15。"),
        "birth_date_format": ("Write it as 1990-06-15.", "请写成 1990-06-15。"),
        "birth_no_such_day": ("Check the day and the calendar.", "请核对日子，以及是公历还是农历。"),
        "birth_no_leap_month": (
            "That year's leap month: {leap}. Switch it off if the month was not a leap month.",
            "这一年闰几月：{leap}。不是闰月就不要勾选。",
        ),
        "birth_future": ("Check the year.", "请核对年份。"),
        "birth_too_early": ("Charts are computed from 1900 on.", "可以计算1900年以后的命盘。"),
        "birth_time_missing": (
            "Give the time, choose a double hour, or choose “unknown”.",
            "请填写时间，或选一个时辰，或选“不知道”。",
        ),
        "birth_time_format": ("Write it as 14:30.", "请写成 14:30。"),
        "birth_no_such_time": (
            "One hour later is often meant: {later}. Or choose the double hour.",
            "常常是指晚一小时：{later}。也可以改选时辰。",
        ),
        "birth_time_twice": (
            "Choose the first (summer time) or the second (standard time).",
            "请选第一次（夏令时）或第二次（标准时）。",
        ),
        "birth_place_missing": (
            "A city is enough; a longitude such as 104.07E helps.",
            "填城市就够了，也可以写经度，如 104.07E。",
        ),
        "birth_place_unknown": (
            "Name the nearest larger city, or coordinates such as 30.67N 104.07E.",
            "请写附近较大的城市，或经纬度，如 30.67N 104.07E。",
        ),
        "birth_place_same_name": ("Choose one: {options}.", "请选一个：{options}。"),
        "birth_longitude": ("From -180 to 180, east is positive.", "范围 -180 到 180，东经为正。"),
        "birth_clock_missing": (
            "Papers mostly give Beijing time; Xinjiang time is two hours behind.",
            "证件上多为北京时间；新疆时间比北京时间晚两小时。",
        ),
    }
)
NOTES: Final = Sentences(
    {
        "place_part": (
            "Of {typed} the table knows {part}; its coordinates were used.",
            "“{typed}”里认得的是“{part}”，按它的经纬度计算。",
        ),
        "place_others": ("Taken as {place}; others of this name: {others}.", "按{place}计算；同名的还有：{others}。"),
        "place_nearest": ("The zone is that of {place}, the nearest place known.", "时区取最近的已知地点{place}。"),
        "summer_time": (
            "Summer time was in force ({hours} h); it was taken off.",
            "当时实行夏令时，已减去{hours}小时。",
        ),
        "china_zones": (
            "From 1912 to 1949 China had several time zones and the records differ; the chart counts {zone}.",
            "1912–1949年中国曾分几个时区，各地记录不一；这里按{zone}计算，请核对。",
        ),
        "beijing_clock": ("The time was read as Beijing time.", "按北京时间理解。"),
        "xinjiang_clock": ("The time was read as Xinjiang time (UTC+6).", "按新疆时间（UTC+6）理解。"),
        "before_zones": (
            "Standard time did not exist yet; local mean time was used.",
            "当时还没有标准时，按地方平时计算。",
        ),
        "double_hour": (
            "Only the double hour is known; instants are counted from its middle.",
            "只知道时辰，需要时刻的地方按时辰正中计算。",
        ),
    }
)
