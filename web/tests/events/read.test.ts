import { describe, expect, it } from "vitest";

import { fieldWords } from "../../src/events/read";

describe("a value of a form's field", () => {
  const field = {
    name: "parameters",
    options: [
      { value: "tilt", label: "下倾角" },
      { value: "power", label: "功率" },
    ],
  };

  it.each([
    ["tilt", "下倾角"],
    [["tilt", "power"], "下倾角, 功率"],
    ["offset", "offset"],
    [5, "5"],
  ])("%j is shown by the labels of its options", (value, words) => {
    expect(fieldWords(field, value)).toBe(words);
  });

  it("is shown as it is where the form says nothing about it", () => {
    expect(fieldWords(undefined, [2, 10])).toBe("2, 10");
  });
});
