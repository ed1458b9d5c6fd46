import type { StoredSecret } from '../../editing/stored-secret.ts';
import { filledRows, changeOf, draftOf, type Draft, type Row, type RowsChange } from '../../editing/draft.ts';
import { typedRows } from '../../editing/save-state.ts';
import type { FailedSave, SaveOutcome } from './use-save.ts';

/** What the form of an edit holds, and how far the edit is. */
export interface EditState {
  readonly base: StoredSecret;
  readonly draft: Draft;
  /** Typed for a Secret whose values were locked before the save. */
  readonly unsavable: readonly Row[];
  readonly hasInvalidEntry: boolean;
  readonly phase:
    | { readonly kind: 'editing' }
    | { readonly kind: 'review'; readonly failure?: FailedSave }
    | { readonly kind: 'conflict'; readonly theirs: StoredSecret };
}

/** What happens to an edit: what someone does, and what comes of a save. A newer version is a conflict. */
export type EditAction =
  | { readonly kind: 'edit'; readonly part: Partial<Draft> }
  | { readonly kind: 'editRows'; readonly change: RowsChange }
  | { readonly kind: 'checkEntries'; readonly areInvalid: boolean }
  | { readonly kind: 'discardUnsavable' }
  | { readonly kind: 'review' }
  | { readonly kind: 'back' }
  | { readonly kind: 'resolve'; readonly merged: Draft }
  | SaveOutcome;

export function beginEdit(base: StoredSecret): EditState {
  const phase = { kind: 'editing' } as const;
  return { base, draft: draftOf(base), unsavable: [], hasInvalidEntry: false, phase };
}

export function editReducer(state: EditState, action: EditAction): EditState {
  const { draft } = state;
  switch (action.kind) {
    case 'edit':
      return { ...state, draft: { ...draft, ...action.part } };
    case 'editRows':
      return { ...state, draft: { ...draft, rows: action.change(draft.rows) } };
    case 'checkEntries':
      return { ...state, hasInvalidEntry: action.areInvalid };
    case 'discardUnsavable':
      return { ...state, unsavable: [] };
    case 'review':
      return { ...state, phase: { kind: 'review' } };
    case 'back':
      return { ...state, phase: { kind: 'editing' } };
    case 'resolve':
      return resolved(state, action.merged);
    case 'saved':
      return { ...state, base: action.secret, phase: { kind: 'editing' } };
    case 'conflict':
      return { ...state, phase: { kind: 'conflict', theirs: action.theirs } };
    case 'failed':
      return { ...state, base: action.savedPart ?? state.base, phase: { kind: 'review', failure: action } };
  }
}

/** The merge goes on from the newer version; where nothing of it is left to save, there is nothing to review. */
function resolved(state: EditState, merged: Draft): EditState {
  const { base, draft, phase } = state;
  if (phase.kind !== 'conflict') return state;
  const { theirs } = phase;
  const isLocked = !base.immutable && theirs.immutable;
  return {
    ...state,
    base: theirs,
    draft: merged,
    unsavable: isLocked ? typedRows(base, theirs, filledRows(draft.rows)) : state.unsavable,
    phase: { kind: changeOf(theirs, merged) === undefined ? 'editing' : 'review' },
  };
}
