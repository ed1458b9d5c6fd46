import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { ApiError } from '../../api/wire.ts';
import { changeOf, draftOf, type Draft } from '../../editing/draft.ts';
import { useNotice } from '../../shell/notices.tsx';
import { VALUES_CHANGED } from '../restart/restart-offer.tsx';

export type Phase = 'editing' | 'review' | 'conflict';

/** Whether the values themselves may be changed here: binary ones would be lost, immutable ones refused. */
export function valuesAreEditable({ immutable, binary }: SecretDetail): boolean {
  return !immutable && binary.size === 0;
}

/** An edit from the first keystroke to the saved version, conflicts included. */
export function useEdit(loaded: SecretDetail) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useNotice();
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState<Draft>(() => draftOf(loaded));
  const [phase, setPhase] = useState<Phase>('editing');
  const [theirs, setTheirs] = useState<SecretDetail>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [collision, setCollision] = useState(false);
  const saved = useRef(false);

  const change = changeOf(base, draft);
  const unsaved = useCallback(() => !saved.current && changeOf(base, draft) !== undefined, [base, draft]);

  const refused = async (thrown: unknown) => {
    if (!(thrown instanceof ApiError) || thrown.status !== 409) throw thrown;
    const now = await api.read(base);
    // The revision is still the one that was loaded, so it is the history that stands in the way.
    if (now.resourceVersion === base.resourceVersion) setCollision(true);
    else {
      setTheirs(now);
      setPhase('conflict');
    }
  };
  const save = async (recoverCounter: boolean) => {
    if (change === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      const recover = recoverCounter ? { recoverCounter: true as const } : {};
      const sent = { ...change, resourceVersion: base.resourceVersion, ...recover };
      const { version } = await api.update(base, sent).catch(async (thrown: unknown) => {
        await refused(thrown);
        return { version: undefined };
      });
      if (version === undefined) return;
      saved.current = true;
      await queries.invalidateQueries({ queryKey: ['list', base.namespace] });
      tell(`${base.name} is saved as version ${version}.`);
      const state = change.data === undefined ? null : VALUES_CHANGED;
      await navigate(`/namespaces/${base.namespace}/secrets/${base.name}`, { state });
    } catch (thrown) {
      setCollision(false);
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const review = () => {
    setError(undefined);
    setCollision(false);
    setPhase('review');
  };
  const resolved = (merged: Draft) => {
    if (theirs === undefined) return;
    setBase(theirs);
    setDraft(merged);
    if (changeOf(theirs, merged) === undefined) setPhase('editing');
    else review();
  };
  return {
    base,
    draft,
    phase,
    theirs,
    busy,
    error,
    collision,
    change,
    unsaved,
    save,
    review,
    resolved,
    edit: (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part })),
    back: () => setPhase('editing'),
  };
}

export type Edit = ReturnType<typeof useEdit>;
