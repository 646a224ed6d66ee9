import { render } from "preact";
import { expect, test } from "vitest";
import { DataTable } from "../../src/parts/data-table";

test("two tables of one name are no two landmarks of one name", () => {
  const host = document.createElement("div");
  const columns = [{ key: "cell", title: "Cell", type: "text" as const, unit: "" }];
  render([1, 2].map((at) => <DataTable key={at} title="By cell" columns={columns} rows={[["a"]]} />), host);
  expect(host.querySelectorAll('[aria-label="By cell"][tabindex="0"]')).toHaveLength(2);
  expect(host.querySelectorAll('[role="region"]')).toHaveLength(0);
});
