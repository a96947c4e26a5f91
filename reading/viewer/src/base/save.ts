/** How long the address of a file is kept: a browser may first ask where to put it. */
const KEPT_MS = 60_000;

/** Lets the browser keep a file. */
export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
