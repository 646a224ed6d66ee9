/** The drawing library, only the parts that the six kinds need; this file is a chunk of its own. */

import { BarChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent,
  DataZoomSliderComponent,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from "echarts/components";
import { init, use, type ECharts } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

import type { Option } from "./options";

use([
  BarChart,
  LineChart,
  ScatterChart,
  HeatmapChart,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
  DataZoomSliderComponent,
  AriaComponent,
  SVGRenderer,
]);

/** A drawn chart: draw again, fit its place, give its picture, go away. */
export interface Engine {
  draw(option: Option): void;
  fit(): void;
  svg(): string;
  close(): void;
}

/** Draw into an element; it must have a size. */
export function openEngine(element: HTMLElement, language: "zh" | "en"): Engine {
  const chart: ECharts = init(element, undefined, { renderer: "svg", locale: language === "zh" ? "ZH" : "EN" });
  return {
    draw: (option) => chart.setOption(option, { notMerge: true }),
    fit: () => chart.resize({ animation: { duration: 0 } }),
    svg: () => chart.renderToSVGString(),
    close: () => chart.dispose(),
  };
}
