import { wording } from ".";

/** The sentences of maps. */
export const mapWords = wording({
  before: ["优化前", "Before"],
  after: ["优化后", "After"],
  difference: ["变化", "Difference"],
  stage: ["阶段", "Stage"],
  layer: ["网络", "Network"],
  sectors: ["扇区", "Sectors"],
  base: ["底图", "Base"],
  legend: ["图例与面积占比", "Legend, share of the area"],
  changed: ["有调整的扇区", "Sector with changes"],
  roads: ["道路", "roads"],
  help: ["方向键移动光标读数，鼠标悬停也可读数", "Arrow keys move the cursor and read values; so does the pointer"],
  value: ["{place}：{measure} {value}（{band}）", "{place}: {measure} {value} ({band})"],
  none: ["{place}：没有数值", "{place}: no value"],
  place: ["东 {x} 米，北 {y} 米", "{x} m east, {y} m north"],
  band: ["分段", "Band"],
  share: ["{stage}占面积", "{stage}, share of area"],
  worst: ["最差的 {count} 格（共 {total} 格）", "The {count} worst of {total} squares"],
  longitude: ["经度", "Longitude"],
  latitude: ["纬度", "Latitude"],
  metres: ["{count} 米", "{count} m"],
  threshold: ["门限 {value}", "threshold {value}"],
  asTable: ["看表格", "View as table"],
});
