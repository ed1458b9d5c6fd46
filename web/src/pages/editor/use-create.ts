import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/wire.ts';
import { valuesOf } from '../../editing/draft.ts';
import type { NewDraft } from '../../editing/handover.ts';
import { isAsDrafted } from '../../editing/outcome.ts';
import { filledRows } from '../../editing/readiness.ts';
import { useNotice } from '../../shell/notices.tsx';
import { useOnScreen } from './use-on-screen.ts';
import type { SaveProblem } from './use-save.ts';
import { detailPath } from '../../paths.ts';

/** Creates what is on the screen; where the answer does not tell what came of it, a look at the cluster does. */
export function useCreate(namespace: string, shown: NewDraft) {
  const attempt = useAttempt(namespace);
  const onScreen = useOnScreen(shown);
  const finish = useFinish(namespace);
  const settled = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<SaveProblem>();
  const create = async (onDone: () => void) => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    const failed = await attempt(shown);
    setBusy(false);
    if (failed !== undefined) {
      setProblem(failed);
      return;
    }
    onDone();
    settled.current = onScreen.current === shown;
    finish(shown, settled.current);
  };
  return { create, settled, busy, problem, clear: () => setProblem(undefined) };
}

/** One attempt; undefined when the Secret is there as it was drafted. */
function useAttempt(namespace: string) {
  const api = useApi();
  // After an answer that was lost, "exists already" may speak of what this form itself has created.
  const doubtful = useRef(false);
  return async (draft: NewDraft): Promise<SaveProblem | undefined> => {
    try {
      const { rows, ...rest } = draft;
      await api.create(namespace, { ...rest, data: valuesOf(filledRows(rows)) });
      return undefined;
    } catch (error) {
      doubtful.current ||= outcomeIsUnknown(error);
      if (!doubtful.current) return { error };
      try {
        const now = await api.read({ namespace, name: draft.name });
        return isAsDrafted(now, draft) ? undefined : { error, unsaved: true };
      } catch (thrown) {
        return { error, unsaved: thrown instanceof ApiError && thrown.status === 404 };
      }
    }
  };
}

function useFinish(namespace: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useNotice();
  return ({ name }: NewDraft, leaves: boolean) => {
    tell(`${name} is created.`);
    void queries.invalidateQueries({ queryKey: ['list', namespace] });
    if (leaves) void navigate(detailPath({ namespace, name }));
    else void queries.invalidateQueries({ queryKey: ['secret', namespace, name] });
  };
}
