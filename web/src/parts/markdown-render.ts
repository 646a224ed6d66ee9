import DOMPurify from "dompurify";
import { Marked, type Token, type Tokens } from "marked";
import { cellLook } from "./cell-look";
import { figureColumns } from "./figures";
import { keptPieces, type Piece } from "./kept-text";

/** What may stand in an answer; everything else is text. */
const TAGS = "a abbr b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i img input kbd li ol p pre s small span strong sub sup table tbody td th thead tr ul".split(" ");
const ATTRIBUTES = ["href", "title", "rel", "target", "class", "start", "align", "src", "alt", "checked", "disabled", "type", "data-cite", "role", "tabindex"];
const CITATION = /^(?:\[([^[\]\n#]{1,120})#([\p{L}\p{N}_.:-]{1,60})\](?!\()|【([^【】\n#]{1,120})#([\p{L}\p{N}_.:-]{1,60})】|([A-Za-z][\w.-]{2,60})#(\d{1,5})(?!\w))/u;
/** Bold text, also where a sign ends it before a Chinese character, which CommonMark does not read as bold. */
const BOLD = /^\*\*(?![\s*])([^*\n]*[^\s*])\*\*(?!\*)/;
const CITATION_STARTS = /[[【]|(?<![\w/.#-])[A-Za-z][\w.-]{2,60}#\d/;

interface CitationToken extends Tokens.Generic {
  type: "citation";
  file: string;
  chunk: string;
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [
    {
      name: "citation",
      level: "inline",
      start: (text: string) => {
        const at = text.search(CITATION_STARTS);
        return at < 0 ? undefined : at;
      },
      tokenizer(text: string): CitationToken | undefined {
        const found = CITATION.exec(text);
        return found ? { type: "citation", raw: found[0], file: found[1] ?? found[3] ?? found[5] ?? "", chunk: found[2] ?? found[4] ?? found[6] ?? "" } : undefined;
      },
      renderer(token) {
        const { file, chunk } = token as CitationToken;
        const name = escaped(`${file}#${chunk}`);
        return `<a class="cite" href="#" role="button" data-cite="${name}">${name}</a>`;
      },
    },
    {
      name: "bold",
      level: "inline",
      start: (text: string) => text.match(/(?<![*\\])\*\*(?!\*)/)?.index,
      tokenizer(text: string): Tokens.Generic | undefined {
        const found = BOLD.exec(text);
        return found ? { type: "bold", raw: found[0], tokens: this.lexer.inlineTokens(found[1] ?? "") } : undefined;
      },
      renderer(token) {
        return `<strong>${this.parser.parseInline(token.tokens ?? [])}</strong>`;
      },
    },
  ],
  renderer: {
    html: ({ text }) => escaped(text),
    text(token) {
      if ("tokens" in token && token.tokens) return this.parser.parseInline(token.tokens);
      const html = ({ text, kept }: Piece): string => (kept ? `<span class="kept">${escaped(text)}</span>` : escaped(text));
      return "escaped" in token && token.escaped ? token.text : keptPieces(token.text).map(html).join("");
    },
    table(token) {
      const figures = figureColumns([token.header, ...token.rows].map((row) => row.map((cell) => cell.text)));
      for (const row of [token.header, ...token.rows]) for (const [place, cell] of row.entries()) if (figures[place]) cell.align ??= "right";
      return false;
    },
    tablecell({ tokens, header, align, text }) {
      const name = header ? "th" : "td";
      return `<${name} class="${cellLook(text)}"${align ? ` align="${align}"` : ""}>${this.parser.parseInline(tokens)}</${name}>\n`;
    },
    link({ href, title, tokens }) {
      return linkHtml(href, this.parser.parseInline(tokens), title ?? "");
    },
    image: ({ href, text }) => imageHtml(href, text),
  },
});

/** One piece of an answer: its source, to see whether it changed, and its tokens. */
export interface Block {
  raw: string;
  token: Token;
}

/** A text in blocks, and where the last of them begins. */
export interface Reading {
  text: string;
  blocks: Block[];
  last: number;
}

/** Cut Markdown into its top-level blocks. Of a text that has only grown, no more than the last block is read again. */
export function readBlocks(text: string, before: Reading | null = null): Reading {
  const grown = before !== null && before.blocks.length > 0 && text.startsWith(before.text) && !text.includes("\r");
  const start = grown ? before.last : 0;
  const blocks = grown ? before.blocks.slice(0, -1) : [];
  let last = start;
  let at = start;
  for (const token of marked.lexer(text.slice(start))) {
    if (token.type !== "space" && token.type !== "def") {
      blocks.push({ raw: token.raw, token });
      last = at;
    }
    at += token.raw.length;
  }
  return { text, blocks, last };
}

/** The safe HTML of one block. */
export function blockHtml(block: Block): string {
  return clean(marked.parser([block.token]));
}

/** The safe HTML of a whole text. */
export function markdownHtml(text: string): string {
  return readBlocks(text).blocks.map(blockHtml).join("");
}

/** Whether an image comes from this server or stands in the text itself; no other is ever fetched. */
export function isOwnImage(address: string): boolean {
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(address)) return true;
  return /^\/(?![/\\])/.test(address) && !/[\\\u0000-\u001f]/.test(address);
}

/** An address that a link may have, or null. */
export function safeHref(address: string): URL | null {
  try {
    const url = new URL(address, location.origin);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** A text that HTML shows as it is. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function linkHtml(href: string, inner: string, title: string): string {
  const url = safeHref(href);
  if (!url) return inner;
  const outside = url.origin !== location.origin && url.protocol !== "mailto:";
  const host = outside && !inner.includes(escaped(url.host)) ? ` <small class="host">${escaped(url.host)}</small>` : "";
  const to = outside ? ' target="_blank"' : "";
  return `<a href="${escaped(href)}" rel="noreferrer noopener nofollow"${to}${title ? ` title="${escaped(title)}"` : ""}>${inner}${host}</a>`;
}

function imageHtml(href: string, alt: string): string {
  if (isOwnImage(href)) return `<img src="${escaped(href)}" alt="${escaped(alt)}">`;
  return linkHtml(href, escaped(alt || href), "");
}

function clean(html: string): string {
  return DOMPurify.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ATTRIBUTES, ALLOW_DATA_ATTR: false });
}

DOMPurify.addHook("uponSanitizeAttribute", (node, data) => {
  if (data.attrName === "src" && !isOwnImage(data.attrValue)) data.keepAttr = false;
  if (data.attrName === "type" && data.attrValue !== "checkbox") node.remove();
});
