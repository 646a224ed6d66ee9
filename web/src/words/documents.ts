import { wording } from "./index";

/** The sentences of the preview of documents. */
export const sayDocuments = wording({
  documents: ["本对话的文件", "Documents of this conversation"],
  version: ["版本", "Version"],
  written: ["写入后", "Written"],
  original: ["原件", "Original"],
  exact: ["下载 PDF（LibreOffice）", "Download PDF (LibreOffice)"],
  cursorHint: ["点击一处，光标就放在那里", "Click a place to put the cursor there"],
  putCursor: ["把光标放在这里", "Put the cursor here"],
  changedSince: ["此后这个文件又改过或已撤销：查看和保存的是现在的文件", "Changed or taken back since: what you view and save is the file as it is now"],
  loading: ["正在打开…", "Opening…"],
  empty: ["文件是空的。", "The document is empty."],
  truncated: ["文件较长，这里只显示前一部分。", "The document is long: only its first part is shown."],
  row: ["行", "Row"],
});
