import { useRef } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { filledRows, valuesOf } from '../../editing/draft.ts';
import { storedSecret } from '../../editing/stored-secret.ts';
import { valuesToSend } from '../../values/value.ts';
import type { NewDraft } from '../../editing/draft-handover.ts';
import { isAsDrafted } from '../../editing/save-state.ts';
import { useCurrent } from '../../ui/use-current.ts';
import { useFinish } from '../form/use-finish.ts';

type CreateOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly confirmedNotSaved: boolean };

/** Creates a Secret from the draft in the form. */
export function useCreate(namespace: string, draft: NewDraft) {
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
  const currentDraft = useCurrent(draft);
  const finish = useFinish();
  const isCreated = useRef(false);
  const { write, isBusy, outcome } = useUncertainWrite(send, look, (result, sent) => {
    if (result.kind === 'failed') return;
    // What was typed since keeps the form open.
    isCreated.current = currentDraft.current === sent;
    void finish({
      secret: { namespace, name: sent.name },
      rules: sent,
      done: `${sent.name} is created.`,
      lost: "You don't have access to it.",
      leaves: isCreated.current,
    });
  });
  const failure = outcome?.kind === 'failed' ? outcome : undefined;
  return { create: () => write(draft), isCreated, isBusy, failure };
}
