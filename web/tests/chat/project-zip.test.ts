import { expect, test } from "vitest";
import { packFolder } from "../../src/chat/project-zip";

test("a folder is packed as a zip file without what is hidden, generated or too big", async () => {
  const file = (text: string): File => Object.assign(new File([text], "x"), { arrayBuffer: async () => new TextEncoder().encode(text).buffer });
  const big = Object.assign(file(""), {});
  Object.defineProperty(big, "size", { value: 2 << 20 });
  const { file: packed, leftOut } = await packFolder("shop", [
    { path: "shop/说明.py", file: file("x = 1\n".repeat(50)) },
    { path: "shop/.gitignore", file: file("dist") },
    { path: "shop/.git/config", file: file("1") },
    { path: "shop/node_modules/a.js", file: file("1") },
    { path: "shop/big.txt", file: big },
  ]);
  expect([packed.name, leftOut]).toEqual(["shop.zip", 3]);
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const read = new DataView(bytes.buffer);
  const end = bytes.length - 22;
  expect([read.getUint32(end, true), read.getUint16(end + 10, true)]).toEqual([0x06054b50, 2]);
  expect(read.getUint32(read.getUint32(end + 16, true), true)).toBe(0x02014b50);
  const start = 30 + read.getUint16(26, true);
  expect(new TextDecoder().decode(bytes.slice(30, start))).toBe("shop/说明.py");
  const content = new Blob([bytes.slice(start, start + read.getUint32(18, true))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  expect(await new Response(content).text()).toBe("x = 1\n".repeat(50));
});
