import { createContext, useContext, useEffect, type RefObject } from 'react';

export type DirtyForms = ReturnType<typeof createDirtyForms>;

interface DirtyForm {
  /** What was sent cannot be called back: leaving waits for its outcome. */
  readonly kind: 'typed' | 'sent';
  /** Whether it is saved, or its outcome is known, before that is drawn. */
  readonly isFinished?: RefObject<boolean> | undefined;
}

/** What on the screen would be lost by leaving; checked before leaving. */
export function createDirtyForms() {
  const forms = new Set<DirtyForm>();
  const listeners = new Set<() => void>();
  const change = (apply: () => void) => {
    apply();
    for (const listener of listeners) listener();
  };
  return {
    add(form: DirtyForm) {
      change(() => forms.add(form));
      return () => change(() => forms.delete(form));
    },
    /** What is waited for comes before what is typed. */
    dirty: () => {
      const open = [...forms].filter(({ isFinished }) => isFinished?.current !== true);
      return (open.find(({ kind }) => kind === 'sent') ?? open[0])?.kind;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** They are given up: leaving is no longer confirmed. */
    forget: () => forms.clear(),
  };
}

export const DirtyFormsContext = createContext<DirtyForms | undefined>(undefined);

export function useDirtyForms(): DirtyForms {
  const edits = useContext(DirtyFormsContext);
  if (edits === undefined) throw new TypeError('outside of the shell');
  return edits;
}

/** While it is dirty, leaving by a link, a sign-out or a closed tab is confirmed first; the end of the session leaves it there. */
export function useDirty(isDirty: boolean, kind: DirtyForm['kind'], isFinished?: RefObject<boolean>): void {
  const edits = useDirtyForms();
  useEffect(
    () => (isDirty ? edits.add({ kind, isFinished }) : undefined),
    [edits, isDirty, kind, isFinished],
  );
}

/** Closing or reloading the tab is confirmed first, as browsers do. */
export function useUnloadQuestion({ dirty }: DirtyForms): void {
  useEffect(() => {
    const confirm = (event: BeforeUnloadEvent) => {
      if (dirty() !== undefined) event.preventDefault();
    };
    window.addEventListener('beforeunload', confirm);
    return () => window.removeEventListener('beforeunload', confirm);
  }, [dirty]);
}
