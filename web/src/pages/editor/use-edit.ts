import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { changeOf, draftOf, type Draft, type Row, type RowsChange } from '../../editing/draft.ts';
import { handOver } from '../../editing/handover.ts';
import { typedRows } from '../../editing/outcome.ts';
import { filledRows } from '../../editing/readiness.ts';
import { useNotice } from '../../shell/notices.tsx';
import { VALUES_CHANGED } from '../restart/restart-offer.tsx';
import { useOnScreen } from './use-on-screen.ts';
import { useSave, type Attempt } from './use-save.ts';
import { createPath, detailPath } from '../../paths.ts';

export type Phase = 'editing' | 'review' | 'conflict';

/** Whether the values themselves may be changed here: binary ones would be lost, immutable ones refused. */
export function valuesAreEditable({ immutable, binary }: SecretDetail): boolean {
  return !immutable && binary.size === 0;
}

/** An edit from the first keystroke to the saved version, conflicts included. */
export function useEdit(loaded: SecretDetail) {
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState<Draft>(() => draftOf(loaded));
  const [stranded, setStranded] = useState<readonly Row[]>([]);
  const [pending, setPending] = useState(false);
  const [phase, setPhase] = useState<Phase>('editing');
  const [theirs, setTheirs] = useState<SecretDetail>();
  const settled = useRef(false);
  const onScreen = useOnScreen(draft);
  const finish = useFinish();

  const editRows = useCallback(
    (next: RowsChange) => setDraft((old) => ({ ...old, rows: next(old.rows) })),
    [],
  );
  const filled = { ...draft, rows: filledRows(draft.rows) };
  const change = changeOf(base, filled);
  const dirty = change !== undefined || pending || stranded.length > 0;
  const unsaved = useCallback(() => !settled.current && dirty, [dirty]);

  const { save, busy, problem, clear } = useSave({
    onSaved: (attempt, saved) => {
      // What was typed since, and what could not be saved, keeps the form open.
      const leaves = onScreen.current === draft && stranded.length === 0;
      settled.current = leaves;
      setBase(saved);
      setPhase('editing');
      finish(attempt, saved, leaves);
    },
    onConflict: (now) => {
      setTheirs(now);
      setPhase('conflict');
    },
  });
  const review = () => {
    clear();
    setPhase('review');
  };
  const resolved = (merged: Draft) => {
    if (theirs === undefined) return;
    const locked = valuesAreEditable(base) && !valuesAreEditable(theirs);
    if (locked) setStranded(typedRows(base, theirs, filled.rows));
    setBase(theirs);
    setDraft(merged);
    if (changeOf(theirs, merged) === undefined) setPhase('editing');
    else review();
  };
  return {
    ...{ base, draft, stranded, phase, theirs, busy, problem, change, pending, unsaved, review, resolved },
    editRows,
    save: (recoverCounter: boolean) => {
      if (change !== undefined) void save({ base, draft: filled, change }, recoverCounter);
    },
    edit: (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part })),
    setPending,
    discardStranded: () => setStranded([]),
    back: () => setPhase('editing'),
    createAgain: useCreateAgain(base, { ...filled, rows: withStranded(filled.rows, stranded) }, settled),
  };
}

export type Edit = ReturnType<typeof useEdit>;

/** What could not be saved onto the old Secret can be part of a new one. */
function withStranded(rows: readonly Row[], stranded: readonly Row[]): readonly Row[] {
  const others = rows.filter(({ key }) => stranded.every((row) => row.key !== key));
  return [...others, ...stranded].map((row, id) => ({ ...row, id }));
}

/** Says that it is saved, and leads to the Secret as it is now, unless somebody is elsewhere by then. */
function useFinish() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useNotice();
  return ({ base, change }: Attempt, saved: SecretDetail, leaves: boolean) => {
    const { namespace, name } = base;
    tell(`${name} is saved as version ${saved.version}.`);
    void queries.invalidateQueries({ queryKey: ['list', namespace] });
    const state = change.data === undefined ? null : VALUES_CHANGED;
    if (leaves) void navigate(detailPath(base), { state });
    else void queries.invalidateQueries({ queryKey: ['secret', namespace, name] });
  };
}

/** Leads to the form for a new Secret, with everything that is in this one. */
function useCreateAgain(
  { namespace, name, type }: SecretDetail,
  draft: Draft,
  settled: { current: boolean },
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return () => {
    handOver(queries, namespace, { ...draft, name, type });
    settled.current = true;
    void navigate(createPath(namespace));
  };
}
