import { useState } from 'react';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { useApi } from '../../api/api-context.ts';
import type { SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { BULK_DELETE_WORDS, BULK_WORDS, OUTCOME_WORDS } from '../../words/bulk.ts';
import { ConfirmField } from '../../ui/confirm-field.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkJob } from './bulk-job.ts';
import { useBulk } from './use-bulk.ts';

export interface BulkActionProps {
  readonly namespace: string;
  /** At least one. */
  readonly secrets: readonly SecretSummary[];
  readonly onClose: () => void;
}

/** The names that are shown; the number of the others follows. */
const MOST_NAMES = 10;

/** Deletes one Secret or several, and archives them. */
export function BulkDelete({ namespace, secrets, onClose }: BulkActionProps) {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const { run, stop, isRunning, outcomes } = useBulk(namespace, secrets);
  const names = secrets.map(({ name }) => name);
  const word = BULK_DELETE_WORDS.confirmWith(names);
  const isReady = typed === word;
  const onRun = () => void run(deletion(api));
  return (
    <BulkDialog
      title={BULK_DELETE_WORDS.title(names)}
      isDanger
      secrets={secrets}
      outcomes={outcomes}
      isRunning={isRunning}
      isReady={isReady}
      action={BULK_DELETE_WORDS.delete}
      done={OUTCOME_WORDS.deleted}
      onRun={onRun}
      onStop={stop}
      onClose={onClose}
    >
      {names.length > 1 && <Names names={names} />}
      <p>{BULK_DELETE_WORDS.warning}</p>
      <ConfirmField
        id="bulk-confirm"
        label={BULK_DELETE_WORDS.confirm(word)}
        value={typed}
        onChange={setTyped}
        onEnter={() => {
          if (isReady) onRun();
        }}
      />
    </BulkDialog>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className="bulk-names">
      {names.slice(0, MOST_NAMES).map((name) => (
        <li key={name}>{name}</li>
      ))}
      {names.length > MOST_NAMES && <li>{BULK_WORDS.moreNames(names.length - MOST_NAMES)}</li>}
    </ul>
  );
}

/** Only the versions that the list showed can be deleted, so that it is safe to try again. */
function deletion(api: SecretsApi): BulkJob {
  return {
    send: async (secret) => {
      const { status } = await api.remove(
        secret,
        secret.resourceVersion,
        !isServiceAccountToken(secret.type),
      );
      return status === 'deleted' ? 'done' : 'pending';
    },
    settle: (before, now) => {
      if (now === undefined) return 'gone';
      if (now.creationTimestamp !== before.creationTimestamp) return 'replaced';
      if (now.deletionTimestamp !== undefined) return 'pending';
      return now.resourceVersion === before.resourceVersion ? 'same' : 'changed';
    },
  };
}
