import { createContext, useContext, useEffect } from 'react';

/** What on the screen would be lost by leaving; asked by whatever is about to leave. */
export interface UnsavedEdits {
  readonly add: (check: () => boolean) => () => void;
  readonly any: () => boolean;
  /** They are given up: nothing asks any more. */
  readonly forget: () => void;
}

export function createUnsavedEdits(): UnsavedEdits {
  const checks = new Set<() => boolean>();
  return {
    add(check) {
      checks.add(check);
      return () => void checks.delete(check);
    },
    any: () => [...checks].some((check) => check()),
    forget: () => checks.clear(),
  };
}

export const UnsavedEditsContext = createContext<UnsavedEdits | undefined>(undefined);

export function useUnsavedEdits(): UnsavedEdits {
  const edits = useContext(UnsavedEditsContext);
  if (edits === undefined) throw new TypeError('outside of the shell');
  return edits;
}

/** Closing or reloading the tab asks first, as browsers do. */
export function useUnloadQuestion(edits: UnsavedEdits): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (edits.any()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [edits]);
}
