import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import type { DescribedSecret } from '../../api/secrets-api.ts';
import { storedSecret, theirSecret, type StoredSecret } from '../../editing/stored-secret.ts';
import { filledRows, changeOf, type Draft, type Row } from '../../editing/draft.ts';
import { handOverDraft } from '../../editing/draft-handover.ts';
import { VALUES_CHANGED } from '../restart/restart-offer.tsx';
import { useFinish } from '../form/use-finish.ts';
import type { Confirmation } from '../form/review-dialog.tsx';
import { useCurrent } from '../../ui/use-current.ts';
import { beginEdit, editReducer } from './edit-state.ts';
import { useSave } from './use-save.ts';
import { createPath } from '../../paths.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';

/** An edit from the first keystroke to the saved version, conflicts included. */
export function useEdit(loaded: DescribedSecret) {
  const api = useApi();
  const [state, dispatch] = useReducer(editReducer, loaded, (secret) => beginEdit(storedSecret(api, secret)));
  const { base, draft, unsavable } = state;
  const filled = { ...draft, rows: filledRows(draft.rows) };
  const change = changeOf(base, filled);
  const isFinished = useRef(false);
  const currentDraft = useCurrent(draft);
  const finish = useFinish();
  const hasChanges = change !== undefined || state.hasInvalidEntry || unsavable.length > 0;
  const isDirty = useCallback(() => !isFinished.current && hasChanges, [hasChanges]);
  const { write, isBusy } = useSave((outcome, attempt) => {
    dispatch(outcome);
    if (outcome.kind !== 'saved') return;
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
    void write({ base, draft: filled, change, ...confirmation });
  };
  const all = { ...filled, rows: withUnsavable(filled.rows, unsavable) };
  const createAgain = useCreateAgain(base, all, isFinished);
  const compareWith = async (newer: StoredSecret) =>
    dispatch({ kind: 'conflict', theirs: await theirSecret(api, base, newer, filled.rows) });
  return { ...state, change, dispatch, isDirty, isBusy, save, createAgain, compareWith };
}

export type Edit = ReturnType<typeof useEdit>;

/** What could not be saved onto the old Secret can be part of a new one. */
function withUnsavable(rows: readonly Row[], unsavable: readonly Row[]): readonly Row[] {
  const others = rows.filter(({ key }) => unsavable.every((row) => row.key !== key));
  return [...others, ...unsavable].map((row, id) => ({ ...row, id }));
}

/** Opens the form for a new Secret, with everything that is in this one. */
function useCreateAgain(
  { namespace, name, type }: StoredSecret,
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

/**
 * A version that was saved elsewhere while this form is open. Looked for when someone returns to the tab; a save is
 * checked by the service in any case.
 */
export function useNewerVersion(base: StoredSecret): StoredSecret | undefined {
  const api = useApi();
  const [found, setFound] = useState<{ readonly base: StoredSecret; readonly now: StoredSecret }>();
  const look = useCallback(async () => {
    try {
      setFound({ base, now: storedSecret(api, await api.describe(base)) });
    } catch {
      // Nothing is known of a newer version; the save finds out.
    }
  }, [api, base]);
  useOnReturn(useCallback(() => void look(), [look]));
  if (found?.base !== base || found.now.resourceVersion === base.resourceVersion) return undefined;
  return found.now;
}
