import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../../api/api-context.ts';
import { createLimit, outcomeIsUnknown } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { deletedPath, detailPath } from '../../paths.ts';
import { messageOf } from '../../ui/problem.tsx';
import { useNotify, type NoticeOptions } from '../../ui/notices.tsx';
import { counted } from '../../values/format.ts';
import { undelete, UNDELETE_ADVICE, type Undelete, type UndeleteOutcome } from './undelete.ts';

/** Restores deleted Secrets, one at a time. */
export function useUndelete(onRestored: () => void) {
  const api = useApi();
  // After a lost answer, "exists already" may be about the Secret that this page itself has restored.
  const lost = useRef(new Set<string>());
  const send = async (requested: Undelete): Promise<UndeleteOutcome> => {
    const key = `${requested.ref.uid} ${requested.name}`;
    const outcome = await undelete(api, requested, lost.current.has(key));
    if (outcome.kind === 'failed' && outcomeIsUnknown(outcome.error)) lost.current.add(key);
    return outcome;
  };
  const finish = useRestored();
  const look = (requested: Undelete, error: unknown): UndeleteOutcome => ({
    ...{ kind: 'failed', error, state: 'refused', undelete: requested },
  });
  const { write, isBusy, outcome, clear } = useUncertainWrite(send, look, (result, requested) => {
    if (result.kind === 'failed') return;
    finish([requested]);
    onRestored();
  });
  return { restore: write, isBusy, failure: outcome?.kind === 'failed' ? outcome : undefined, clear };
}

/** Few enough that the requests of everyone else are not kept waiting. */
const AT_ONCE = 4;

/**
 * The action of the notice after a deletion of one Secret or several. What comes of it is another notice: its screen may be
 * gone by then.
 */
export function useUndo() {
  const api = useApi();
  const notify = useNotify();
  const finish = useRestored();
  return (all: readonly Undelete[]): NonNullable<NoticeOptions['action']> => ({
    label: 'Undo',
    run: async () => {
      const limit = createLimit(AT_ONCE);
      const outcomes = await Promise.all(all.map((one) => limit(() => undelete(api, one))));
      const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
      finish(all.filter((_one, index) => outcomes[index]?.kind === 'restored'));
      const [first] = failed;
      if (first === undefined) return;
      const subject = failed.length === 1 ? first.undelete.name : counted(failed.length, 'Secret');
      notify(`Couldn't restore ${subject}: ${messageOf(first.error)}. ${UNDELETE_ADVICE[first.state]}`, {
        variant: 'warning',
        link: { label: 'Show deleted', to: deletedPath(first.undelete.ref.namespace) },
      });
    },
  });
}

/** Shows a notice, and reads again what shows Secrets of the namespace. */
function useRestored() {
  const queries = useQueryClient();
  const notify = useNotify();
  return (restored: readonly Undelete[]): void => {
    const [first] = restored;
    if (first === undefined) return;
    const { namespace } = first.ref;
    if (restored.length === 1) {
      const link = { label: `Show ${first.name}`, to: detailPath({ namespace, name: first.name }) };
      notify(`${first.name} is restored.`, { link });
    } else notify(`${counted(restored.length, 'Secret')} restored.`);
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    for (const { name } of restored) {
      void queries.invalidateQueries({ queryKey: queryKeys.secret({ namespace, name }) });
    }
  };
}
