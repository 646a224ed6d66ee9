import { language } from "../app/language";
import type { Sentence } from "./index";

/** Names of what is kept, by the last part of its path. */
const NAMES: Readonly<Record<string, Sentence>> = {
  birth_info: ["出生信息", "Birth data"],
  life_context: ["生活和目标", "Life and goals"],
  extracted: ["我的原话", "My own words"],
  guardian: ["监护人同意", "Guardian's consent"],
  skill_data: ["技能保存的结果", "Results kept by skills"],
  calendar: ["历法", "Calendar"],
  date: ["出生日期", "Date of birth"],
  leap_month: ["闰月", "Leap month"],
  time: ["出生时间", "Time of birth"],
  hour: ["时辰", "Double hour"],
  place: ["出生地点", "Place of birth"],
  sex: ["性别", "Sex"],
  clock: ["记录的是哪种时间", "Time on the paper"],
  repeated: ["是哪一次", "Which of the two"],
  goal: ["目标", "Goal"],
  draft: ["还没定完的目标", "Goal in the making"],
  cadence: ["频率", "How often"],
  step: ["最小的一步", "Smallest step"],
  obstacle: ["如果遇到", "If this comes up"],
  response: ["我就", "then I do"],
  reminders: ["提醒", "Reminders"],
  items: ["提醒内容", "What to remind of"],
  zone: ["时区", "Time zone"],
  quiet: ["免打扰", "Quiet hours"],
  paused: ["已暂停", "Paused"],
  checkins: ["打卡记录", "Check-ins"],
  last: ["上次发出", "Sent last"],
  agreed: ["同意的时间", "Agreed at"],
  progress: ["做得怎么样", "How it went"],
  note: ["备注", "Note"],
  text: ["内容", "Text"],
  at: ["时间", "At"],
  chart: ["命盘", "Chart"],
  pillars: ["四柱", "Pillars"],
  gods: ["十神", "Ten gods"],
  year: ["年", "Year"],
  month: ["月", "Month"],
  day: ["日", "Day"],
  strength: ["旺衰", "Strength"],
  luck: ["大运", "Luck periods"],
  solar_time: ["时间口径", "Time counted"],
  day_start: ["换日", "Change of day"],
  signs: ["星座", "Signs"],
  ascendant: ["上升（度）", "Ascendant (degrees)"],
  midheaven: ["天顶（度）", "Midheaven (degrees)"],
  houses: ["宫位制", "Houses"],
  answers: ["回答", "Answers"],
  interests: ["兴趣结果", "Interests"],
  code: ["代码", "Code"],
  points: ["得分", "Points"],
  decision: ["比较过的选择", "A choice weighed"],
  options: ["选项", "Options"],
  criteria: ["看重的方面", "What counts"],
  winner: ["排在第一", "First"],
  draws: ["抽过的牌", "Draws"],
  pending: ["还没翻开的牌", "Draw in the making"],
  spread: ["牌阵", "Spread"],
  cards: ["牌", "Cards"],
  sun: ["太阳", "Sun"],
  moon: ["月亮", "Moon"],
  mercury: ["水星", "Mercury"],
  venus: ["金星", "Venus"],
  mars: ["火星", "Mars"],
  jupiter: ["木星", "Jupiter"],
  saturn: ["土星", "Saturn"],
  uranus: ["天王星", "Uranus"],
  neptune: ["海王星", "Neptune"],
  pluto: ["冥王星", "Pluto"],
};

/** Values that are chosen from a list, by the last part of the path. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, Sentence>>>> = {
  calendar: { solar: ["公历", "solar"], lunar: ["农历", "Chinese lunar"] },
  sex: { male: ["男", "male"], female: ["女", "female"], skip: ["不填", "not given"] },
  clock: { beijing: ["北京时间", "Beijing time"], xinjiang: ["新疆时间", "Xinjiang time"] },
  repeated: { first: ["第一次（夏令时）", "the first (summer time)"], second: ["第二次（标准时）", "the second (standard time)"] },
  hour: {
    unknown: ["不知道", "unknown"],
    zi_early: ["早子时 0–1点", "early Zi, 0:00–1:00"],
    chou: ["丑时 1–3点", "Chou, 1:00–3:00"],
    yin: ["寅时 3–5点", "Yin, 3:00–5:00"],
    mao: ["卯时 5–7点", "Mao, 5:00–7:00"],
    chen: ["辰时 7–9点", "Chen, 7:00–9:00"],
    si: ["巳时 9–11点", "Si, 9:00–11:00"],
    wu: ["午时 11–13点", "Wu, 11:00–13:00"],
    wei: ["未时 13–15点", "Wei, 13:00–15:00"],
    shen: ["申时 15–17点", "Shen, 15:00–17:00"],
    you: ["酉时 17–19点", "You, 17:00–19:00"],
    xu: ["戌时 19–21点", "Xu, 19:00–21:00"],
    hai: ["亥时 21–23点", "Hai, 21:00–23:00"],
    zi_late: ["晚子时 23–24点", "late Zi, 23:00–24:00"],
  },
  cadence: { daily: ["每天", "every day"], thrice: ["每周三次", "three times a week"], weekly: ["每周一次", "once a week"] },
  progress: { done: ["做到了", "done"], partly: ["做了一部分", "partly"], missed: ["没做到", "missed"] },
  strength: { strong: ["偏旺", "strong"], balanced: ["中和", "balanced"], weak: ["偏弱", "weak"] },
  solar_time: { true: ["真太阳时", "true solar time"], mean: ["平太阳时", "mean solar time"], clock: ["钟表时间", "clock time"] },
  day_start: { midnight: ["0:00换日", "at 0:00"], late_evening: ["23:00换日", "at 23:00"] },
  houses: { placidus: ["普拉西度", "Placidus"], whole_sign: ["整宫制", "whole signs"] },
  spread: { single: ["一张牌", "one card"], three: ["三张牌", "three cards"], time: ["过去、现在、未来", "past, present, future"], celtic: ["凯尔特十字", "Celtic cross"] },
};
const SIGNS: Readonly<Record<string, Sentence>> = {
  aries: ["白羊", "Aries"],
  taurus: ["金牛", "Taurus"],
  gemini: ["双子", "Gemini"],
  cancer: ["巨蟹", "Cancer"],
  leo: ["狮子", "Leo"],
  virgo: ["处女", "Virgo"],
  libra: ["天秤", "Libra"],
  scorpio: ["天蝎", "Scorpio"],
  sagittarius: ["射手", "Sagittarius"],
  capricorn: ["摩羯", "Capricorn"],
  aquarius: ["水瓶", "Aquarius"],
  pisces: ["双鱼", "Pisces"],
};

const inWords = (said: Sentence): string => said[language.value === "zh" ? 0 : 1];

/** A part of a path in words; a part that has no name stays as it is. */
export function nameOfPart(part: string): string {
  const said = NAMES[part];
  return said === undefined ? part : inWords(said);
}

/** The values that a part is chosen from, in words; none if it is free text. */
export function choicesOf(part: string): [value: string, label: string][] {
  return Object.entries(CHOICES[part] ?? {}).map(([value, said]) => [value, inWords(said)]);
}

/** A value in words. */
export function valueInWords(part: string, value: string): string {
  const said = CHOICES[part]?.[value] ?? SIGNS[value];
  return said === undefined ? value : inWords(said);
}
