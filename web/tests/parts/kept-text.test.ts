import { expect, test } from "vitest";
import { keptPieces } from "../../src/parts/kept-text";

const kept = (text: string): string[] => keptPieces(text).filter((one) => one.kept).map((one) => one.text);

test.each([
  ["最差为460-00-100031（RSRP均值 -104.9 dBm，覆盖率 54.7 %）", ["460-00-100031", "-104.9 dBm", "54.7 %"]],
  ["460-00-100001 and PV-003 of 2026-03-02", ["460-00-100001", "PV-003", "2026-03-02"]],
  ["a pre-whitened envelope of a four-stage gear", []],
  ["见 a1b2c3d4-0000-1111-2222-abcdefabcdef", []],
  ["vibration 7.1 mm/s at 1771.8 rpm", ["7.1 mm/s", "1771.8 rpm"]],
])("%s", (text, words) => {
  expect(kept(text)).toEqual(words);
  expect(keptPieces(text).map((one) => one.text).join("")).toBe(text);
});
