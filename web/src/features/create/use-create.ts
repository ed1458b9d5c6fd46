import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { filledRows, valuesOf } from '../../editing/draft.ts';
import { storedSecret } from '../../editing/stored-secret.ts';
import { valuesToSend } from '../../values/value.ts';
import type { NewDraft } from '../../editing/draft-handover.ts';
import { isAsDrafted } from '../../editing/save-state.ts';
import { detailPath, listPath } from '../../paths.ts';
import { useNotify } from '../../ui/notices.tsx';
import { useAccessCheck } from '../form/use-access-check.ts';
import { useCurrentDraft } from '../form/use-current-draft.ts';

type CreateOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly confirmedNotSaved: boolean };

/** Creates a Secret from the draft in the form. */
export function useCreate(namespace: string, draft: NewDraft) {
  const { send, look } = useCreateRequest(namespace);
  const currentDraft = useCurrentDraft(draft);
  const finish = useFinish(namespace);
  const isCreated = useRef(false);
  const { write, isBusy, outcome } = useUncertainWrite(send, look, (result, sent) => {
    if (result.kind === 'failed') return;
    // What was typed since keeps the form open.
    isCreated.current = currentDraft.current === sent;
    void finish(sent, isCreated.current);
  });
  const failure = outcome?.kind === 'failed' ? outcome : undefined;
  return { create: () => write(draft), isCreated, isBusy, failure };
}

function useCreateRequest(namespace: string) {
  const api = useApi();
  // After a lost answer, "exists already" may be about the Secret that this form itself has created.
  const mayHaveCreated = useRef(false);
  const send = async (draft: NewDraft): Promise<CreateOutcome> => {
    const { rows, ...rest } = draft;
    const { texts, ...binary } = await valuesToSend(valuesOf(filledRows(rows)));
    await api.create(namespace, { ...rest, data: texts, ...binary });
    return { kind: 'created' };
  };
  const look = async (draft: NewDraft, error: unknown): Promise<CreateOutcome> => {
    mayHaveCreated.current ||= outcomeIsUnknown(error);
    if (!mayHaveCreated.current) return { kind: 'failed', error, confirmedNotSaved: false };
    try {
      const now = storedSecret(api, await api.describe({ namespace, name: draft.name }));
      return (await isAsDrafted(now, draft))
        ? { kind: 'created' }
        : { kind: 'failed', error, confirmedNotSaved: true };
    } catch (thrown) {
      const confirmedNotSaved = thrown instanceof ApiError && thrown.status === 404;
      return { kind: 'failed', error, confirmedNotSaved };
    }
  };
  return { send, look };
}

function useFinish(namespace: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const hasLostAccess = useAccessCheck();
  return async ({ name, ...rules }: NewDraft, leaves: boolean) => {
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    if (await hasLostAccess({ namespace, name }, rules)) {
      notify(`${name} is created. You don't have access to it.`);
      if (leaves) void navigate(listPath(namespace));
      return;
    }
    notify(`${name} is created.`);
    if (leaves) void navigate(detailPath({ namespace, name }));
    else void queries.invalidateQueries({ queryKey: queryKeys.secret({ namespace, name }) });
  };
}
