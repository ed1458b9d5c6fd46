import { useRef } from 'react';
import { useApi } from '../../api/api-context.ts';
import { isNotFound, outcomeIsUnknown } from '../../api/http-client.ts';
import { useUncertainWrite } from '../../ui/use-uncertain-write.ts';
import { filledRows, valuesOf, type NewDraft } from '../../editing/draft.ts';
import { storedSecret } from '../../editing/stored-secret.ts';
import { valuesToSend } from '../../values/value.ts';
import { isAsDrafted } from '../../editing/save-state.ts';
import { useCurrent } from '../../ui/use-current.ts';
import type { Failure } from '../form/review-dialog.tsx';
import { useFinish } from '../form/use-finish.ts';

/** Creates a Secret from the draft in the form. Without a failure it is created. */
export function useCreate(namespace: string, draft: NewDraft) {
  const api = useApi();
  // After a lost answer, "exists already" may be about the Secret that this form itself has created.
  const mayHaveCreated = useRef(false);
  const send = async ({ rows, ...rest }: NewDraft): Promise<Failure | undefined> => {
    const { texts, ...binary } = await valuesToSend(valuesOf(filledRows(rows)));
    await api.create(namespace, { ...rest, data: texts, ...binary });
    return undefined;
  };
  const look = async (draft: NewDraft, error: unknown): Promise<Failure | undefined> => {
    mayHaveCreated.current ||= outcomeIsUnknown(error);
    if (!mayHaveCreated.current) return { error };
    try {
      const now = storedSecret(api, await api.describe({ namespace, name: draft.name }));
      return (await isAsDrafted(now, draft)) ? undefined : { error, confirmedNotSaved: true };
    } catch (thrown) {
      return { error, confirmedNotSaved: isNotFound(thrown) };
    }
  };
  const currentDraft = useCurrent(draft);
  const finish = useFinish();
  const isCreated = useRef(false);
  const {
    write,
    isBusy,
    outcome: failure,
  } = useUncertainWrite(send, look, (failed, sent) => {
    if (failed !== undefined) return;
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
  return { create: () => write(draft), isCreated, isBusy, failure };
}
