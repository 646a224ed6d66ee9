/** What the page remembers in this browser; a browser that forbids it only forgets. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`metier.${name}`);
    else localStorage.setItem(`metier.${name}`, value);
  } catch {
    // private windows may refuse
  }
}

/** What was remembered under this name. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`metier.${name}`);
  } catch {
    return null;
  }
}
