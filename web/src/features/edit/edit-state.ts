import type { StoredSecret } from '../../editing/stored-secret.ts';
import { changeOf, draftOf, filledRows, nextRowId, type Draft } from '../../editing/draft.ts';
import { rowsProblem } from '../../editing/readiness.ts';
import { typedRows } from '../../editing/save-state.ts';
import type { FailedSave, SaveOutcome } from './use-save.ts';

/** What the form of an edit holds, and how far the edit is. */
export interface EditState {
  readonly base: StoredSecret;
  readonly draft: Draft;
  readonly phase:
    | { readonly kind: 'editing' }
    | { readonly kind: 'review'; readonly failure?: FailedSave }
    | { readonly kind: 'conflict'; readonly theirs: StoredSecret };
}

/** What happens to an edit: what someone does, and what comes of a save. A newer version is a conflict. */
export type EditAction =
  | { readonly kind: 'edit'; readonly change: (draft: Draft) => Partial<Draft> }
  | { readonly kind: 'review' | 'back' }
  | { readonly kind: 'resolve'; readonly merged: Draft }
  | SaveOutcome;

export function beginEdit(base: StoredSecret): EditState {
  return { base, draft: draftOf(base), phase: { kind: 'editing' } };
}

export function editReducer(state: EditState, action: EditAction): EditState {
  const { base, draft } = state;
  switch (action.kind) {
    case 'edit':
      return { ...state, draft: { ...draft, ...action.change(draft) } };
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
      return { ...state, base: action.savedPart ?? base, phase: { kind: 'review', failure: action } };
  }
}

/**
 * The merge goes on from the newer version, in rows of their own; where nothing of it can be saved, there is nothing to
 * review. What was typed for values that are locked by now stays in the rows.
 */
function resolved({ base, draft, phase }: EditState, merged: Draft): EditState {
  if (phase.kind !== 'conflict') return { base, draft, phase };
  const { theirs } = phase;
  const typed = theirs.immutable ? typedRows(filledRows(draft.rows), [base, theirs]) : [];
  const others = merged.rows.filter(({ key }) => typed.every((row) => row.key !== key));
  const first = nextRowId(draft.rows);
  const rows = [...others, ...typed].map((row, id) => ({ ...row, id: first + id }));
  const change = changeOf(theirs, merged);
  const isUnsound = change?.values !== undefined && rowsProblem(merged.rows, theirs.type) !== undefined;
  const next = change === undefined || isUnsound ? 'editing' : 'review';
  return { base: theirs, draft: { ...merged, rows }, phase: { kind: next } };
}
