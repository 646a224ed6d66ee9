import { expect, test } from "vitest";
import { newestFirst } from "../../src/console/timeline";

test("turns stand by when they began, also one that went on after later ones", () => {
  const at = (id: string, started_at: string): { id: string; started_at: string } => ({ id, started_at });
  const stored = [at("last", "2026-11-19T10:22:41"), at("resumed", "2026-11-19T10:22:32"), at("beside", "2026-11-19T10:22:33")];
  expect(newestFirst(stored).map((one) => one["id"])).toEqual(["last", "beside", "resumed"]);
});
