const KEY = 'single-key-shortcuts';
const OFF = 'off';

/** Shortcuts of a single key can be turned off: they get in the way of voice control (WCAG 2.2, 2.1.4). */
export function singleKeysAreOn(): boolean {
  return localStorage.getItem(KEY) !== OFF;
}

export function turnSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, OFF);
}

/** Whether a key is a shortcut rather than a part of what someone types. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return false;
  if (!singleKeysAreOn() || document.querySelector('[role=dialog]') !== null) return false;
  const { target } = event;
  return !(target instanceof HTMLElement && target.closest('input, textarea, select, [role=menu]') !== null);
}
