import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { DescribedSecret } from '../../api/secrets-api.ts';
import { storedSecret, theirSecret, type StoredSecret } from '../../editing/stored-secret.ts';
import { changeOf, draftOf, filledRows, type Draft, type NewDraft } from '../../editing/draft.ts';
import { typedRows } from '../../editing/save-state.ts';
import { VALUES_CHANGED } from '../restart/restart-offer.tsx';
import { useFinish } from '../form/use-finish.ts';
import type { Confirmation } from '../form/review-dialog.tsx';
import { useDirty } from '../../ui/dirty-forms.ts';
import { useCurrent } from '../../ui/use-current.ts';
import { beginEdit, editReducer } from './edit-state.ts';
import { useSave } from './use-save.ts';
import { createPath } from '../../paths.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';

/** Of a Secret that is gone: with everything that was shown of it. Its stored values can no longer be read. */
function newDraftOf({ name, type }: StoredSecret, draft: Draft): NewDraft {
  return { ...draft, name, type, rows: draft.rows.map((row) => ({ ...row, loaded: undefined })) };
}

/** An edit from the first keystroke to the saved version, conflicts included. */
export function useEdit(loaded: DescribedSecret) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [state, dispatch] = useReducer(editReducer, loaded, (secret) => beginEdit(storedSecret(api, secret)));
  /** How often: with each conflict, the fields for access begin again with what it was resolved to. */
  const [resolved, setResolved] = useState(0);
  const [hasInvalidEntry, setHasInvalidEntry] = useState(false);
  const note = useState('');
  const [, setNote] = note;
  const { base, draft } = state;
  const rows = useMemo(() => filledRows(draft.rows), [draft.rows]);
  // What is typed for values that are locked by now is kept, and is not part of a save.
  const unsavable = base.immutable ? typedRows(rows, [base]) : [];
  const wanted = { ...draft, rows: base.immutable ? draftOf(base).rows : rows };
  const change = changeOf(base, wanted);
  const isFinished = useRef(false);
  const currentDraft = useCurrent(draft);
  const finish = useFinish();
  const hasChanges = change !== undefined || hasInvalidEntry || unsavable.length > 0;
  useDirty(hasChanges, 'typed', isFinished);
  const { write, isBusy } = useSave((outcome, attempt) => {
    dispatch(outcome);
    if (outcome.kind !== 'saved') return;
    setNote('');
    // What was typed since, and what could not be saved, keeps the form open.
    isFinished.current = currentDraft.current === draft && unsavable.length === 0;
    const { name, version } = outcome.secret;
    void finish({
      secret: attempt.base,
      rules: outcome.secret,
      done: `${name} is saved as version ${version}.`,
      lost: 'You no longer have access to it.',
      leaves: isFinished.current,
      state: attempt.change.values === undefined ? null : VALUES_CHANGED,
    });
  });
  const save = (confirmation: Confirmation) => {
    if (change === undefined) return;
    dispatch({ kind: 'review' });
    void write({ base, draft: wanted, change, ...confirmation });
  };
  /** Opens the form for a new Secret, with everything that is shown of this one. */
  const createAgain = () => {
    const { namespace } = base;
    // Through memory that a sign-out clears: an address, and the browser's history, outlive the tab.
    queries.setQueryData(queryKeys.draftHandover(namespace), newDraftOf(base, { ...draft, rows }));
    isFinished.current = true;
    void navigate(createPath(namespace));
  };
  const resolve = (merged: Draft) => {
    dispatch({ kind: 'resolve', merged });
    setResolved(resolved + 1);
    setHasInvalidEntry(false);
  };
  const compareWith = async (newer: StoredSecret) =>
    dispatch({ kind: 'conflict', theirs: await theirSecret(api, base, newer, rows) });
  const actions = { dispatch, setHasInvalidEntry, save, createAgain, resolve, compareWith };
  return { ...state, ...actions, resolved, note, hasInvalidEntry, wanted, unsavable, change, isBusy };
}

export type Edit = ReturnType<typeof useEdit>;

/**
 * A version that was saved elsewhere while this form is open. Looked for when someone returns to the tab; a save is
 * checked by the service in any case.
 */
export function useNewerVersion(base: StoredSecret): StoredSecret | undefined {
  const api = useApi();
  const [found, setFound] = useState<{ readonly base: StoredSecret; readonly now: StoredSecret }>();
  const look = useCallback(() => {
    api.describe(base).then(
      (now) => setFound({ base, now: storedSecret(api, now) }),
      () => undefined, // Nothing is known of a newer version; the save finds out.
    );
  }, [api, base]);
  useOnReturn(look);
  if (found?.base !== base || found.now.resourceVersion === base.resourceVersion) return undefined;
  return found.now;
}
