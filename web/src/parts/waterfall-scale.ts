/** Where a span stands on the axis, in percent; a mark has no width. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  readonly mark: boolean;
}

const LEAST = 0.4;

/** The place of a span; one that lasts is never too thin to see. */
export function barOf(span: { readonly start_ms: number; readonly end_ms: number }, total_ms: number): Bar {
  const whole = Math.max(total_ms, 1);
  const left = clamp((span.start_ms / whole) * 100);
  if (span.end_ms <= span.start_ms) return { left: Math.min(left, 99.6), width: 0, mark: true };
  const width = Math.max(LEAST, clamp((span.end_ms / whole) * 100) - left);
  return { left: Math.min(left, 100 - LEAST), width: Math.min(width, 100 - Math.min(left, 100 - LEAST)), mark: false };
}

/** Round times for the axis, from zero, at most five. */
export function ticksOf(total_ms: number): number[] {
  if (total_ms <= 0) return [0];
  const rough = total_ms / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let tick = 0; tick <= total_ms * 0.93 && ticks.length < 5; tick += step) ticks.push(Math.round(tick * 1000) / 1000);
  return ticks;
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}
