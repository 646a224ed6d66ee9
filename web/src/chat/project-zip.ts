/** A file of a folder, with its path from the folder's own name on. */
export interface FolderFile {
  path: string;
  file: File;
}

/** A folder as a zip file, and how many of its files were left out. */
export interface PackedFolder {
  file: File;
  leftOut: number;
}

const MAX_FILE_BYTES = 1 << 20;
const MAX_FILES = 8000;
const SKIPPED = /(^|\/)(\.(?!gitignore$)[^/]*|node_modules|__pycache__|venv|env)(\/|$)/;
const UTF8_NAMES = 0x800;
const DEFLATED = 8;

/** Pack what a project needs of a folder: not what is hidden, generated or over 1 MB, which the server would leave out too. */
export async function packFolder(name: string, files: readonly FolderFile[]): Promise<PackedFolder> {
  const kept = files.filter((one) => !SKIPPED.test(one.path) && one.file.size <= MAX_FILE_BYTES).slice(0, MAX_FILES + 1);
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  for (const one of kept) {
    const content = new Uint8Array(await one.file.arrayBuffer());
    const packed = await deflate(content);
    const path = new TextEncoder().encode(one.path);
    const about = describe(content, packed.length, path.length);
    const head = [numbers([0x04034b50, 4]), about, numbers([0, 2])];
    parts.push(...head, path, packed);
    directory.push(numbers([0x02014b50, 4], [20, 2]), about, numbers([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), path);
    offset += 30 + path.length + packed.length;
  }
  const listed = new Blob(directory).size;
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [kept.length, 2], [kept.length, 2], [listed, 4], [offset, 4], [0, 2]);
  return { file: new File([...parts, ...directory, end], `${name}.zip`, { type: "application/zip" }), leftOut: files.length - kept.length };
}

/** Files of a folder that was dropped on the page. */
export async function readFolder(entry: FileSystemDirectoryEntry): Promise<FolderFile[]> {
  const found: FolderFile[] = [];
  const waiting: FileSystemDirectoryEntry[] = [entry];
  for (let folder = waiting.pop(); folder && found.length <= MAX_FILES; folder = waiting.pop())
    for (const inside of await listEntries(folder.createReader())) {
      const path = inside.fullPath.replace(/^\//, "");
      if (inside.isDirectory && !SKIPPED.test(path)) waiting.push(inside as FileSystemDirectoryEntry);
      else if (inside.isFile) found.push({ path, file: await new Promise<File>((resolve, reject) => (inside as FileSystemFileEntry).file(resolve, reject)) });
    }
  return found;
}

async function listEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)); // a hundred at a time
    if (some.length === 0) return found;
    found.push(...some);
  }
}

/** The fields of an entry that its own head and the directory share: version, flags, method, time, checksum, sizes. */
function describe(content: Uint8Array, packedBytes: number, nameBytes: number): Uint8Array<ArrayBuffer> {
  return numbers([20, 2], [UTF8_NAMES, 2], [DEFLATED, 2], [0, 2], [0x21, 2], [checksum(content), 4], [packedBytes, 4], [content.length, 4], [nameBytes, 2]);
}

function numbers(...fields: [value: number, bytes: 2 | 4][]): Uint8Array<ArrayBuffer> {
  const made = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) made.setUint16(at, value, true);
    else made.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(made.buffer);
}

async function deflate(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const TABLE = Uint32Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function checksum(content: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of content) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
