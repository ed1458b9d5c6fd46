/**
 * Puts a text on the clipboard. Browsers offer their clipboard to secure origins alone; elsewhere the older command
 * copies, and a listener gives it the text, so that the page never shows it. Rejects where neither is allowed.
 */
export async function copyText(text: string): Promise<void> {
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
