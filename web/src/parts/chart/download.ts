/** Pictures and tables as files, made in the page. */

/** Hand a file to the reader. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A title as the name of a file: no separators, no control characters, never empty. */
export function fileName(title: string, ending: string): string {
  const plain = title
    .replace(/[\\/:*?"<>|\u0000-\u001f]+/g, " ")
    .trim()
    .slice(0, 80);
  return `${plain || "chart"}.${ending}`;
}

/** An SVG text as a PNG, twice as sharp, on the given ground. */
export async function pngOf(svg: string, ground: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser draws no pictures");
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large"))), "image/png");
  });
}

/** A name and colour to write above a saved picture. */
export interface Key {
  readonly name: string;
  readonly colour: string;
}

/** A picture with its title and the keys of its series above it, since a file has no page around it. */
export function framed(svg: string, title: string, keys: readonly Key[], look: { readonly text: string; readonly font: string }): string {
  const [width, height] = [sizeOf(svg, "width"), sizeOf(svg, "height")];
  let x = 16;
  const drawn = keys.map(({ name, colour }) => {
    const at = x;
    x += 34 + [...name].reduce((sum, letter) => sum + (letter > "\u2e80" ? 12 : 7), 0);
    return `<rect x="${at}" y="36" width="10" height="10" rx="2" fill="${escaped(colour)}"/><text x="${at + 15}" y="45" font-size="12">${escaped(name)}</text>`;
  });
  const top = keys.length > 1 ? 56 : 34;
  const head = `<text x="16" y="22" font-size="15" font-weight="600">${escaped(title)}</text>${keys.length > 1 ? drawn.join("") : ""}`;
  const inner = svg.replace("<svg ", `<svg y="${top}" `);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + top}" viewBox="0 0 ${width} ${height + top}"><g fill="${escaped(look.text)}" font-family="${escaped(look.font)}">${head}</g>${inner}</svg>`;
}

function sizeOf(svg: string, name: "width" | "height"): number {
  return Number(new RegExp(`<svg[^>]*\\s${name}="([\\d.]+)"`).exec(svg)?.[1] ?? 600);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
