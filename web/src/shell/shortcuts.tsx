import { Button, Switch } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';

export interface ShortcutsProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onSwitch: () => void;
  readonly onSearch: () => void;
}

/** The keys that work on every screen, and what they are. */
export function Shortcuts({ isOpen, onOpenChange, onSwitch, onSearch }: ShortcutsProps) {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isSearchChord(event)) onSearch();
      else if (!isSingleKey(event)) return;
      else if (event.key === '/') onSearch();
      else if (event.key === '?') onOpenChange(true);
      else if (event.key === 'n') onSwitch();
      else if (event.key === 'e') edit((to) => void navigate(to));
      else if (event.key === 'c') copy();
      else if (event.key === 'j') moveBy(1);
      else if (event.key === 'k') moveBy(-1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onOpenChange, onSwitch, onSearch, navigate]);
  return isOpen && <ShortcutList onClose={() => onOpenChange(false)} />;
}

/** The Secrets of a list, or the keys of a Secret. Only those in sight and around it are drawn. */
const ROWS = '#main :is(.secret-row, .value-line)';
/** What opens the Secret, or reveals the value. */
const TARGET = 'a, .value-actions > button';
/** What copies the value, or has a menu of those that can be copied. */
const COPY = '.value-actions > [aria-label^="Copy"], .col-menu button';

const rows = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>(ROWS)];

const currentRow = (): HTMLElement | undefined => rows().find((row) => row.contains(document.activeElement));

function moveBy(step: 1 | -1): void {
  const current = currentRow();
  const next = rows()[current === undefined ? 0 : rows().indexOf(current) + step];
  next?.querySelector<HTMLElement>(TARGET)?.focus();
}

function copy(): void {
  const button = currentRow()?.querySelector<HTMLElement>(COPY);
  // Of a menu, which Escape closes only from there, also before it has taken the focus.
  if (typeof button?.ariaExpanded === 'string') button.focus();
  button?.click();
}

/** The Secret of the row, or of the screen. */
function edit(navigate: (to: string) => void): void {
  const link = currentRow()?.querySelector('a');
  if (link) navigate(`${link.pathname}/edit`);
  else document.querySelector<HTMLElement>('#main .actions a[href$="/edit"]')?.click();
}

/** Ctrl-K, or Cmd-K on a Mac: also while typing, but not over a dialog. */
function isSearchChord({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isChord = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
  return isChord && document.querySelector('[role=dialog]') === null;
}

const KEY = 'single-key-shortcuts';
const OFF = 'off';

/** Shortcuts of a single key can be turned off: they get in the way of voice control (WCAG 2.2, 2.1.4). */
const singleKeysAreOn = (): boolean => localStorage.getItem(KEY) !== OFF;

function turnSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, OFF);
}

/** Whether a key is a shortcut rather than a part of what someone types. */
function isSingleKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return false;
  if (!singleKeysAreOn() || document.querySelector('[role=dialog]') !== null) return false;
  const { target } = event;
  return !(target instanceof HTMLElement && target.closest('input, textarea, select, [role=menu]') !== null);
}

const SHORTCUTS = [
  ['/  Ctrl K', 'Search everything'],
  ['n', 'Choose a namespace'],
  ['j  k', 'Next and previous Secret or key'],
  ['Enter', 'Open the Secret, reveal the value'],
  ['e', 'Edit the Secret'],
  ['c', 'Copy the value; in a list, choose which one'],
  ['?', 'Show these shortcuts'],
] as const;

/** What the keys are, and the switch to turn them off. */
function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(singleKeysAreOn);
  return (
    <Dialog
      id="shortcuts"
      title="Keyboard shortcuts"
      onClose={onClose}
      buttons={<Button onClick={onClose}>Close</Button>}
    >
      <Facts facts={SHORTCUTS.map(([key, description]) => ({ term: <kbd>{key}</kbd>, description }))} />
      <Switch
        id="single-keys"
        className="single-keys"
        label="Use shortcuts of a single key"
        isChecked={isOn}
        onChange={(_event, checked) => {
          turnSingleKeys(checked);
          setOn(checked);
        }}
      />
      <p className="hint">Turn them off if they get in the way of voice control or other tools.</p>
    </Dialog>
  );
}
