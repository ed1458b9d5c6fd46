/**
 * Puts a text on the clipboard. Browsers offer their clipboard to secure origins alone; elsewhere the older command
 * copies, and a listener gives it the text, so that the page never shows it. Rejects where neither is allowed,
 * and where the text cannot be read.
 * @param source the text, or how it is read: browsers allow copying for a few seconds after a click
 */
export async function copyText(source: string | (() => Promise<string>)): Promise<void> {
  const text = typeof source === 'string' ? source : await source();
  // Typed as always there, which it is not on http origins.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const older: { readonly execCommand: (command: string) => boolean } = document;
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', onCopy, { capture: true });
  try {
    if (!older.execCommand('copy')) throw new TypeError('the browser does not copy here');
  } finally {
    document.removeEventListener('copy', onCopy, { capture: true });
  }
}
