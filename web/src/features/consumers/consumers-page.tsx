import { Button } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useState } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '../../api/http-client.ts';
import { useConsumers } from '../../api/queries.ts';
import type { Consumer, SecretRef } from '../../api/secrets-api.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { SmallTable } from '../../ui/small-table.tsx';
import { NotFoundHere } from '../restart/consumer-list.tsx';
import { RestartDialog } from '../restart/restart-dialog.tsx';
import { useMayRestart } from '../restart/use-may-restart.ts';
import { idOf, needsRestart, picksUpByItself, usesInWords } from '../restart/workloads.ts';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useSummary } from '../secret/use-summary.ts';

/** Which workloads use a Secret, and what a change of it means for them. */
export function ConsumersPage() {
  const { namespace = '', name = '' } = useParams();
  const secret = { namespace, name };
  const summary = useSummary(secret);
  const query = useConsumers(secret);
  const reload = () => {
    void query.refetch();
    void summary.refetch();
  };
  useOnReturn(reload);
  const frame = { secret, summary: summary.data, tab: 'usedBy', onReload: reload } as const;
  if (query.error instanceof ApiError && query.error.status === 501) {
    return (
      <SecretFrame {...frame} counts={{ usedBy: undefined }}>
        <p>Your administrator hasn't turned on the list of workloads that use a Secret.</p>
      </SecretFrame>
    );
  }
  return (
    <QueryScreen query={query} what="the workloads" stale={{ alert: "Couldn't reload the workloads" }}>
      {(consumers, alert) => (
        <SecretFrame
          {...frame}
          counts={{ usedBy: consumers.length }}
          isReloading={query.isFetching}
          alerts={alert}
        >
          {consumers.length > 0 && <Consumers consumers={consumers} />}
          <NotFoundHere isEmpty={consumers.length === 0} />
          {!consumers.every(picksUpByItself) && <Restart secret={secret} />}
        </SecretFrame>
      )}
    </QueryScreen>
  );
}

function Consumers({ consumers }: { readonly consumers: readonly Consumer[] }) {
  return (
    <SmallTable
      label="Workloads that use this Secret"
      columns={['Workload', 'Uses it for', 'After a change']}
    >
      {consumers.map((consumer) => (
        <Tr key={idOf(consumer)}>
          <Th scope="row">
            {consumer.kind} {consumer.name}
          </Th>
          <Td dataLabel="Uses it for">{usesInWords(consumer.uses)}</Td>
          <Td dataLabel="After a change">{afterChange(consumer)}</Td>
        </Tr>
      ))}
    </SmallTable>
  );
}

/** Where one reads that it is needed. */
function Restart({ secret }: { readonly secret: SecretRef }) {
  const mayRestart = useMayRestart(secret);
  const [isOpen, setOpen] = useState(false);
  if (!mayRestart) return null;
  return (
    <>
      <Button variant="secondary" className="form-end" onClick={() => setOpen(true)}>
        Restart workloads
      </Button>
      {isOpen && <RestartDialog secret={secret} onClose={() => setOpen(false)} />}
    </>
  );
}

function afterChange(consumer: Consumer): string {
  if (picksUpByItself(consumer)) return 'picked up at the next run';
  return needsRestart(consumer) ? 'needs a restart' : 'files follow within minutes';
}
