"""Sentences of deep runs in both languages."""

from typing import Final

from metier.language import Sentences

TEXTS: Final = Sentences(
    {
        "form": ("What is known about the record?", "请补充数据的信息"),
        "form_of": ("What is known about {name}?", "请补充「{name}」的信息"),
        "ask_asset": ("Machine", "设备"),
        "ask_fs": ("Sampling rate (Hz)", "采样率（Hz）"),
        "ask_rpm": ("Speed (rpm)", "转速（rpm）"),
        "ask_bearing": ("Bearing, or balls,ball_d,pitch_d,contact_deg", "轴承型号，或 球数,球径,节径,接触角"),
        "unknown_machine": (
            "There is no record of {name}. Which of these shall be analysed?",
            "没有 {name} 的数据。要分析下面哪一台？",
        ),
        "unknown_bearing": (
            "The table does not have the bearing {name}. Which one is it?",
            "轴承表里没有 {name}。请给出尺寸或别的型号。",
        ),
        "rounds": ("Rounds", "各轮分析"),
    }
)
