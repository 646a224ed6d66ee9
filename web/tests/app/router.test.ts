import { expect, test } from "vitest";
import { pageOf } from "../../src/app/router";

test.each([
  ["/", { name: "chat", id: null }],
  ["/chat", { name: "chat", id: null }],
  ["/chat/9f2c", { name: "chat", id: "9f2c" }],
  ["/chat/%E4%B8%AD", { name: "chat", id: "中" }],
  ["/chat/%E4%", { name: "chat", id: "%E4%" }],
  ["/c/9f2c", { name: "unknown" }],
  ["/shared", { name: "unknown" }],
  ["/console", { name: "console", path: "" }],
  ["/console/timeline/77ab", { name: "console", path: "timeline/77ab" }],
])("%s", (path, expected) => {
  expect(pageOf(path)).toEqual(expected);
});
