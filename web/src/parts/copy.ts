/** Put a text on the clipboard; false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByHand(text);
  }
}

/** Give the reader a file. */
export function saveAs(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, "_").slice(0, 120) || "metier";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Pages without HTTPS have no clipboard of their own; the old way still works there. */
function copiedByHand(text: string): boolean {
  const box = document.createElement("textarea");
  const before = document.activeElement;
  box.value = text;
  box.className = "visually-hidden";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
