import { useState } from 'react';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { useApi } from '../../api/api-context.ts';
import type { SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { ConfirmField } from '../../ui/confirm-field.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkJob } from './bulk-job.ts';
import { useBulk } from './use-bulk.ts';
import { counted } from '../../values/format.ts';

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
  const word = names.length === 1 ? (names[0] ?? '') : 'delete';
  const isReady = typed === word;
  const onRun = () => void run(deletion(api));
  return (
    <BulkDialog
      title={`Delete ${names.length === 1 ? names[0] : counted(names.length, 'Secret')}?`}
      isDanger
      secrets={secrets}
      outcomes={outcomes}
      isRunning={isRunning}
      isReady={isReady}
      action="Delete"
      done="Deleted"
      onRun={onRun}
      onStop={stop}
      onClose={onClose}
    >
      {names.length > 1 && <Names names={names} />}
      <p>
        Workloads that use them may fail when they start again. Under "Deleted" they can be restored, all but
        service account tokens.
      </p>
      <ConfirmField
        id="bulk-confirm"
        label={`Type ${word} to confirm`}
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
      {names.length > MOST_NAMES && <li>and {names.length - MOST_NAMES} more</li>}
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
