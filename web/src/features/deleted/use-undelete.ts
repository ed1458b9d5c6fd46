import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../../api/api-context.ts';
import { outcomeIsUnknown } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { deletedPath, detailPath } from '../../paths.ts';
import { messageOf } from '../../ui/problem.tsx';
import { useNotify, type NoticeOptions } from '../../ui/notices.tsx';
import { undelete, UNDELETE_ADVICE, type Undelete, type UndeleteOutcome } from './undelete.ts';

/** Restores deleted Secrets, one at a time. */
export function useUndelete(onRestored: () => void) {
  const send = useSend();
  const finish = useRestored();
  const look = (requested: Undelete, error: unknown): UndeleteOutcome => ({
    ...{ kind: 'failed', error, state: 'refused', undelete: requested },
  });
  const { write, isBusy, outcome, clear } = useUncertainWrite(send, look, (result, requested) => {
    if (result.kind === 'failed') return;
    finish(requested);
    onRestored();
  });
  return { restore: write, isBusy, failure: outcome?.kind === 'failed' ? outcome : undefined, clear };
}

/** The action of the notice after a deletion. What comes of it is another notice: its screen may be gone by then. */
export function useUndo() {
  const api = useApi();
  const notify = useNotify();
  const finish = useRestored();
  return (requested: Undelete): NonNullable<NoticeOptions['action']> => ({
    label: 'Undo',
    run: async () => {
      const outcome = await undelete(api, requested);
      if (outcome.kind === 'restored') {
        finish(requested);
        return;
      }
      notify(
        `Couldn't restore ${requested.name}: ${messageOf(outcome.error)}. ${UNDELETE_ADVICE[outcome.state]}`,
        {
          variant: 'warning',
          link: { label: 'Show deleted', to: deletedPath(requested.ref.namespace) },
        },
      );
    },
  });
}

function useSend() {
  const api = useApi();
  // After a lost answer, "exists already" may be about the Secret that this page itself has restored.
  const lost = useRef(new Set<string>());
  return async (requested: Undelete): Promise<UndeleteOutcome> => {
    const key = `${requested.ref.uid} ${requested.name}`;
    const outcome = await undelete(api, requested, lost.current.has(key));
    if (outcome.kind === 'failed' && outcomeIsUnknown(outcome.error)) lost.current.add(key);
    return outcome;
  };
}

/** Shows a notice, and reads again what shows Secrets of the namespace. */
function useRestored() {
  const queries = useQueryClient();
  const notify = useNotify();
  return ({ ref: { namespace }, name }: Undelete): void => {
    notify(`${name} is restored.`, { link: { label: `Show ${name}`, to: detailPath({ namespace, name }) } });
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    void queries.invalidateQueries({ queryKey: queryKeys.secret({ namespace, name }) });
  };
}
