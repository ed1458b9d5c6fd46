import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { changeOf, draftOf, type Draft, type Row, type RowsChange } from '../../editing/draft.ts';
import { handOverDraft } from '../../editing/draft-handover.ts';
import { typedRows } from '../../editing/save-state.ts';
import { filledRows } from '../../editing/readiness.ts';
import { useNotify } from '../../ui/notices.tsx';
import { VALUES_CHANGED } from '../restart/restart-offer.tsx';
import { useAccessCheck } from '../form/use-access-check.ts';
import { useCurrentDraft } from '../form/use-current-draft.ts';
import { useSave, type SaveAttempt } from './use-save.ts';
import { createPath, detailPath, listPath } from '../../paths.ts';

export type Phase = 'editing' | 'review' | 'conflict';

/** Whether the values themselves may be changed here: binary ones would be lost, immutable ones refused. */
export function valuesAreEditable({ immutable, binary }: SecretDetail): boolean {
  return !immutable && binary.size === 0;
}

/** What the form of an edit holds. */
function useEditState(loaded: SecretDetail) {
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState<Draft>(() => draftOf(loaded));
  const [unsavable, setUnsavable] = useState<readonly Row[]>([]);
  const [hasInvalidEntry, setHasInvalidEntry] = useState(false);
  const editRows = useCallback(
    (next: RowsChange) => setDraft((old) => ({ ...old, rows: next(old.rows) })),
    [],
  );
  const edit = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const filled = { ...draft, rows: filledRows(draft.rows) };
  return {
    ...{ base, setBase, draft, setDraft, filled, edit, editRows, change: changeOf(base, filled) },
    ...{ unsavable, setUnsavable, hasInvalidEntry, setHasInvalidEntry },
  };
}

/** An edit from the first keystroke to the saved version, conflicts included. */
export function useEdit(loaded: SecretDetail) {
  const state = useEditState(loaded);
  const { base, draft, filled, unsavable, hasInvalidEntry, change } = state;
  const [phase, setPhase] = useState<Phase>('editing');
  const [theirs, setTheirs] = useState<SecretDetail>();
  const isFinished = useRef(false);
  const currentDraft = useCurrentDraft(draft);
  const finish = useFinish();
  const hasChanges = change !== undefined || hasInvalidEntry || unsavable.length > 0;
  const isDirty = useCallback(() => !isFinished.current && hasChanges, [hasChanges]);

  const { write, isBusy, outcome, clear } = useSave((result, attempt) => {
    if (result.kind === 'conflict') {
      setTheirs(result.theirs);
      setPhase('conflict');
    }
    if (result.kind !== 'saved') return;
    // What was typed since, and what could not be saved, keeps the form open.
    isFinished.current = currentDraft.current === draft && unsavable.length === 0;
    state.setBase(result.secret);
    setPhase('editing');
    void finish(attempt, result.secret, isFinished.current);
  });
  const review = () => {
    clear();
    setPhase('review');
  };
  const resolved = (merged: Draft) => {
    if (theirs === undefined) return;
    const locked = valuesAreEditable(base) && !valuesAreEditable(theirs);
    if (locked) state.setUnsavable(typedRows(base, theirs, filled.rows));
    state.setBase(theirs);
    state.setDraft(merged);
    if (changeOf(theirs, merged) === undefined) setPhase('editing');
    else review();
  };
  return {
    ...{ base, draft, unsavable, phase, theirs, isBusy, change, hasInvalidEntry, isDirty, review, resolved },
    ...{ edit: state.edit, editRows: state.editRows, setHasInvalidEntry: state.setHasInvalidEntry },
    failure: outcome?.kind === 'failed' ? outcome : undefined,
    save: (recoverCounter: boolean) => {
      if (change !== undefined) void write({ base, draft: filled, change, recoverCounter });
    },
    compareWith: (newer: SecretDetail) => {
      setTheirs(newer);
      setPhase('conflict');
    },
    discardUnsavable: () => state.setUnsavable([]),
    back: () => setPhase('editing'),
    createAgain: useCreateAgain(base, { ...filled, rows: withUnsavable(filled.rows, unsavable) }, isFinished),
  };
}

export type Edit = ReturnType<typeof useEdit>;

/** What could not be saved onto the old Secret can be part of a new one. */
function withUnsavable(rows: readonly Row[], unsavable: readonly Row[]): readonly Row[] {
  const others = rows.filter(({ key }) => unsavable.every((row) => row.key !== key));
  return [...others, ...unsavable].map((row, id) => ({ ...row, id }));
}

/** Shows a notice, and goes to the Secret as it is now, unless the form stays open. */
function useFinish() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const hasLostAccess = useAccessCheck();
  return async ({ base, change }: SaveAttempt, saved: SecretDetail, leaves: boolean) => {
    const { namespace, name } = base;
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    if (await hasLostAccess(base, saved)) {
      notify(`${name} is saved as version ${saved.version}. You no longer have access to it.`);
      if (leaves) void navigate(listPath(namespace));
      return;
    }
    notify(`${name} is saved as version ${saved.version}.`);
    const state = change.data === undefined ? null : VALUES_CHANGED;
    if (leaves) void navigate(detailPath(base), { state });
    else void queries.invalidateQueries({ queryKey: queryKeys.secret(base) });
  };
}

/** Opens the form for a new Secret, with everything that is in this one. */
function useCreateAgain(
  { namespace, name, type }: SecretDetail,
  draft: Draft,
  isFinished: { current: boolean },
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return () => {
    handOverDraft(queries, namespace, { ...draft, name, type });
    isFinished.current = true;
    void navigate(createPath(namespace));
  };
}
