import { Td, Th, Tr } from '@patternfly/react-table';
import { useParams } from 'react-router';
import { ApiError } from '../../api/http-client.ts';
import { useConsumers } from '../../api/queries.ts';
import type { Consumer } from '../../api/secrets-api.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { CONSUMER_WORDS } from '../../words/access.ts';
import { idOf, needsRestart, picksUpByItself, usesInWords } from '../restart/workloads.ts';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useSummary } from '../secret/use-summary.ts';
import { COMMON_WORDS } from '../../words/common.ts';
import { CONSUMERS_PAGE_WORDS } from '../../words/access.ts';

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
  const frame = { secret, summary: summary.data, tab: 'usedBy', onReload: reload } as const;
  if (query.error instanceof ApiError && query.error.status === 501) {
    return (
      <SecretFrame {...frame} counts={{ usedBy: undefined }}>
        <p>{CONSUMER_WORDS.off}</p>
      </SecretFrame>
    );
  }
  return (
    <QueryScreen
      query={query}
      what={COMMON_WORDS.theWorkloads}
      stale={{ alert: CONSUMERS_PAGE_WORDS.reloadFailed }}
    >
      {(consumers, alert) => (
        <SecretFrame
          {...frame}
          counts={{ usedBy: consumers.length }}
          isReloading={query.isFetching}
          alerts={alert}
        >
          {consumers.length === 0 ? <p>{CONSUMER_WORDS.none}</p> : <Consumers consumers={consumers} />}
          <p className="hint">{CONSUMER_WORDS.limits}</p>
        </SecretFrame>
      )}
    </QueryScreen>
  );
}

function Consumers({ consumers }: { readonly consumers: readonly Consumer[] }) {
  return (
    <SmallTable
      label={CONSUMER_WORDS.table}
      columns={[CONSUMER_WORDS.workload, CONSUMER_WORDS.uses, CONSUMER_WORDS.afterChange]}
    >
      {consumers.map((consumer) => (
        <Tr key={idOf(consumer)}>
          <Th scope="row">
            {consumer.kind} {consumer.name}
          </Th>
          <Td dataLabel={CONSUMER_WORDS.uses}>{usesInWords(consumer.uses)}</Td>
          <Td dataLabel={CONSUMER_WORDS.afterChange}>{afterChange(consumer)}</Td>
        </Tr>
      ))}
    </SmallTable>
  );
}

function afterChange(consumer: Consumer): string {
  if (picksUpByItself(consumer)) return CONSUMER_WORDS.atNextRun;
  return needsRestart(consumer) ? CONSUMER_WORDS.restart : CONSUMER_WORDS.byItself;
}
