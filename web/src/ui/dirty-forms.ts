import { createContext, useContext, useEffect } from 'react';

/** What on the screen would be lost by leaving; checked before leaving. */
export interface DirtyForms {
  readonly add: (check: () => boolean) => () => void;
  readonly any: () => boolean;
  /** They are given up: leaving is no longer confirmed. */
  readonly forget: () => void;
}

export function createDirtyForms(): DirtyForms {
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

export const DirtyFormsContext = createContext<DirtyForms | undefined>(undefined);

export function useDirtyForms(): DirtyForms {
  const edits = useContext(DirtyFormsContext);
  if (edits === undefined) throw new TypeError('outside of the shell');
  return edits;
}

/** Closing or reloading the tab is confirmed first, as browsers do. */
export function useUnloadQuestion(edits: DirtyForms): void {
  useEffect(() => {
    const confirm = (event: BeforeUnloadEvent) => {
      if (edits.any()) event.preventDefault();
    };
    window.addEventListener('beforeunload', confirm);
    return () => window.removeEventListener('beforeunload', confirm);
  }, [edits]);
}
