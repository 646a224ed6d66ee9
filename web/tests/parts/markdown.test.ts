import { describe, expect, test } from "vitest";
import { blockHtml, isOwnImage, markdownHtml, readBlocks, type Reading } from "../../src/parts/markdown-render";

/** The page as a browser would build it. */
function page(text: string): HTMLElement {
  const root = document.createElement("div");
  root.innerHTML = markdownHtml(text);
  return root;
}

describe("nothing in an answer runs or calls home", () => {
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)></svg>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:msgbox)",
    "![x](https://evil.example/a.png?q=secret)",
    "![x](//evil.example/a.png)",
    "![x](/\\evil.example/a.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "<a href='javascript:alert(1)'>x</a>",
    "<form action=https://evil.example><input name=a></form>",
    "<style>body{background:url(https://evil.example)}</style>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    '[x](https://a.example "\\" onmouseover=alert(1) \\"")',
    "`<script>alert(1)</script>`",
    "```\n<img src=x onerror=alert(1)>\n```",
    "[a.md#1<img src=x onerror=alert(1)>]",
  ])("%s", (text) => {
    const root = page(text);
    expect(root.querySelectorAll("script, iframe, svg, style, form, object, embed, math, link, meta, base")).toHaveLength(0);
    for (const element of root.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^style$|^srcset$/);
        if (name === "href") expect(value).toMatch(/^(https?:|mailto:|\/|#)/);
        if (name === "src") expect(isOwnImage(value)).toBe(true);
      }
    }
  });
});

test("HTML is shown as it was written", () => {
  expect(page("a <b>c</b>").textContent).toContain("<b>c</b>");
});

test("a link to elsewhere shows where it leads and tells nobody from where", () => {
  const link = page("[规范](https://docs.example.com/a)").querySelector("a");
  expect(link?.textContent).toContain("docs.example.com");
  expect(link?.rel).toContain("noreferrer");
  expect(link?.target).toBe("_blank");
});

test("an image of another server is a link", () => {
  const root = page("![图](https://evil.example/a.png)");
  expect(root.querySelector("img")).toBeNull();
  expect(root.querySelector("a")?.textContent).toContain("evil.example");
});

test("an image of this server is shown", () => {
  expect(page("![图](/api/files/1)").querySelector("img")?.alt).toBe("图");
});

test.each([
  ["见 [覆盖手册.md#3]。", "覆盖手册.md#3"],
  ["见【天馈参数规范#12】", "天馈参数规范#12"],
  ["依据coverage#3，下倾角偏大", "coverage#3"],
  ["see interference_guide#12.", "interference_guide#12"],
])("%s has a citation", (text, cite) => {
  expect(page(text).querySelector("[data-cite]")?.getAttribute("data-cite")).toBe(cite);
});

test.each(["[链接](#a)", "[a#b](https://x.example)", "C# and F#", "https://x.example/page#3", "`coverage#3`", "coverage#3a"])("%s has none", (text) => {
  expect(page(text).querySelector("[data-cite]")).toBeNull();
});

test("tables, lists and code are drawn", () => {
  const root = page("| a | b |\n|---|--:|\n| 1 | 2 |\n\n- x\n- [x] y\n\n```py\nz = 1\n```");
  expect(["table", "li", "pre code", "input[type=checkbox]"].map((name) => root.querySelector(name) !== null)).toEqual([true, true, true, true]);
});

describe("a text that grows, piece by piece, becomes what it is as a whole", () => {
  const text = "# 一\n\n第二段 **粗\n体**\n续\n\n- a\n\n- b\n  1. c\n\n  还在 b\n\n> 引\n> 用\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1\n\ny = 2\n```\n标题\n===\n\n---\n\n见 [手册#3]。";

  test.each([1, 2, 3, 7, 20])("in pieces of %i", (size) => {
    let reading: Reading | null = null;
    for (let at = size; at < text.length + size; at += size) reading = readBlocks(text.slice(0, at), reading);
    expect(reading?.blocks.map((block) => block.raw.trim())).toEqual(readBlocks(text).blocks.map((block) => block.raw.trim()));
    expect(reading?.blocks.map(blockHtml).join("")).toBe(markdownHtml(text));
  });

  test("and only its last block is new", () => {
    const before = readBlocks(text.slice(0, -3));
    const after = readBlocks(text, before);
    expect(after.blocks.slice(0, -1).every((block, at) => block === before.blocks[at])).toBe(true);
  });
});

describe("bold text is bold, whatever stands beside it", () => {
  test.each([
    ["**7.1 mm/s（有效值）**属于哪个区", "7.1 mm/s（有效值）"],
    ["已在**合同（2）**写入", "合同（2）"],
    ["见**《合同法》**第三条", "《合同法》"],
    ["结论**“可以”**吗", "“可以”"],
    ["a **bold word** here", "bold word"],
    ["**共 3 项。**下面", "共 3 项。"],
  ])("%s", (text, bold) => {
    const root = page(text);
    expect([...root.querySelectorAll("strong")].map((one) => one.textContent)).toEqual([bold]);
    expect(root.textContent).not.toContain("**");
  });

  test.each(["2 ** 3 ** 4", "`**a（b）**c`", "\\*\\*a（b）\\*\\*c"])("%s is not", (text) => {
    expect(page(text).querySelectorAll("strong")).toHaveLength(0);
  });
});

test("cells of tables in answers have a look of their own", () => {
  const html = markdownHtml("| 日期 | 说明 |\n|---|--:|\n| 2026-03-13 | 上线前安排渗透测试，3月16日前发给大家看，由陈静负责 |");
  expect(html).toContain('<td class="short"><span class="kept">2026-03-13</span></td>');
  expect(html).toContain('<td class="long" align="right">');
});

test("an answer keeps ids and numbers with their units on one line, and its text is what was said", () => {
  const root = document.createElement("div");
  root.innerHTML = markdownHtml("- **460-00-100031** has 54.7 % & `78.4 %`\n");
  expect([...root.querySelectorAll(".kept")].map((one) => one.textContent)).toEqual(["460-00-100031", "54.7 %"]);
  expect(root.textContent?.trim()).toBe("460-00-100031 has 54.7 % & 78.4 %");
});

test("numbers of a table in an answer stand at the end of their column, whatever their unit", () => {
  const html = markdownHtml("| 全网 | 优化前 | 变化 |\n|---|---|---|\n| SINR | 9.5 dB | +2.9 dB |\n| 覆盖率 | 97.9 % | -0.1 pp |");
  expect(html).toMatch(/<th class="short" align="right">优化前/);
  expect(html.match(/<td[^>]*align="right"/g)).toHaveLength(4);
  expect(html).toContain('<td class="short">SINR</td>');
});
