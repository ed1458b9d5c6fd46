import { lazy, Suspense, useEffect } from 'react';
import { isSingleKey } from '../ui/single-keys.ts';

export interface ShortcutsProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onSwitch: () => void;
  readonly onSearch: () => void;
}

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

/** The keys that work on every screen, and what they are. */
export function Shortcuts({ isOpen, onOpenChange, onSwitch, onSearch }: ShortcutsProps) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isSearchChord(event)) onSearch();
      else if (!isSingleKey(event)) return;
      else if (event.key === '/') onSearch();
      else if (event.key === '?') onOpenChange(true);
      else if (event.key === 'n') onSwitch();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onOpenChange, onSwitch, onSearch]);
  return isOpen ? (
    <Suspense fallback={null}>
      <ShortcutList onClose={() => onOpenChange(false)} />
    </Suspense>
  ) : null;
}

/** Ctrl-K, or Cmd-K on a Mac: also while typing, but not over a dialog. */
function isSearchChord({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isChord = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
  return isChord && document.querySelector('[role=dialog]') === null;
}
