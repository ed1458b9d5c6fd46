/** Saves bytes as a file. */
export function download(fileName: string, content: Uint8Array<ArrayBuffer> | string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has taken the bytes by then; a leftover address would keep them in memory.
  window.setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
