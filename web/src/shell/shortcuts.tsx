import { lazy, Suspense, useEffect } from 'react';
import { isSingleKey } from '../ui/single-keys.ts';

export interface ShortcutsProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onSwitch: () => void;
}

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

/** The keys that work on every screen, and what they are. */
export function Shortcuts({ isOpen, onOpenChange, onSwitch }: ShortcutsProps) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSingleKey(event)) return;
      if (event.key === '?') onOpenChange(true);
      else if (event.key === 'n') onSwitch();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onOpenChange, onSwitch]);
  return isOpen ? (
    <Suspense fallback={null}>
      <ShortcutList onClose={() => onOpenChange(false)} />
    </Suspense>
  ) : null;
}
