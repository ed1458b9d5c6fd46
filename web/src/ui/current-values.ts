import { createContext } from 'react';

/** How long what was read counts as current. Within it, several values are revealed and copied after one read. */
export const CURRENT_MS = 5_000;

/**
 * Runs an action on a value that is shown or about to be, unless a newer version was saved by then.
 * `isChecked` is false when that could not be found out.
 */
export type WhenCurrent = (action: (isChecked: boolean) => void) => void;

/** Values that were typed, or are of one version for ever, are current. */
export const CurrentValuesContext = createContext<WhenCurrent>((action) => action(true));
