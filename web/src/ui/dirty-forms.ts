import { createContext, useContext, useEffect } from 'react';

export type DirtyForms = ReturnType<typeof createDirtyForms>;

/** What on the screen would be lost by leaving; checked before leaving. */
export function createDirtyForms() {
  const checks = new Set<() => boolean>();
  return {
    add(check: () => boolean) {
      checks.add(check);
      return () => void checks.delete(check);
    },
    any: () => [...checks].some((check) => check()),
    /** They are given up: leaving is no longer confirmed. */
    forget: () => checks.clear(),
  };
}

export const DirtyFormsContext = createContext<DirtyForms | undefined>(undefined);

export function useDirtyForms(): DirtyForms {
  const edits = useContext(DirtyFormsContext);
  if (edits === undefined) throw new TypeError('outside of the shell');
  return edits;
}

/** What is typed outside of a form that is guarded is an edit of its screen, too: the end of the session leaves it there. */
export function useTyped(isTyped: boolean): void {
  const edits = useDirtyForms();
  useEffect(() => edits.add(() => isTyped), [edits, isTyped]);
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
