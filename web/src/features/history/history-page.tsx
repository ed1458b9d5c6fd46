import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useExplanation, useVersions } from '../../api/queries.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { useSessionWatch } from '../../api/session-watch.ts';
import { useNote } from '../form/review-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { useHistoryAddress, keyHistories } from './states.ts';
import { statesOf, VersionTable, type VersionTableProps } from './version-table.tsx';
import { RestartOffer } from '../restart/restart-offer.tsx';
import { allows } from '../../editing/rules.ts';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useSummary } from '../secret/use-summary.ts';
import { Alert, Title } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { SmallTable } from '../../ui/small-table.tsx';
import { When } from '../../ui/when.tsx';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { counted } from '../../values/format.ts';

/** What the Secret was: who changed it when, what differs, and the way back. */
export function HistoryPage() {
  const { namespace = '', name = '' } = useParams();
  const secret = { namespace, name };
  const query = useVersions(secret);
  // Who made the live state is shown by the list, which holds no values.
  const { data: summary, refetch } = useSummary(secret, false);
  const reload = () => {
    void query.refetch();
    void refetch();
  };
  useOnReturn(reload);
  return (
    <QueryScreen
      query={query}
      what="the history"
      onRetry={reload}
      stale={{ alert: "Couldn't reload the history" }}
    >
      {(data, alert) => (
        <SecretFrame
          secret={secret}
          summary={summary}
          tab="history"
          counts={{ history: data.versions.length }}
          isReloading={query.isFetching}
          onReload={reload}
          alerts={alert}
        >
          <History
            secret={secret}
            live={summary?.version === data.version ? summary : undefined}
            list={data}
            loadedAt={query.dataUpdatedAt}
            reload={reload}
          />
        </SecretFrame>
      )}
    </QueryScreen>
  );
}

interface HistoryProps extends Pick<VersionTableProps, 'secret' | 'live' | 'list' | 'loadedAt'> {
  readonly reload: () => void;
}

function History({ secret, live, list, loadedAt, reload }: HistoryProps) {
  const [restoring, setRestoring] = useState<number>();
  const [restored, setRestored] = useState(false);
  const { isEnded } = useSessionWatch();
  const note = useNote();
  const close = () => {
    setRestoring(undefined);
    // The end of the session closes the review, too.
    if (!isEnded) note[1]('');
  };
  const address = useHistoryAddress();
  const { data: access } = useExplanation(secret);
  const mayRestore =
    allows(access?.level, 'write') && live?.deletionTimestamp === undefined && !live?.immutable;
  const { opened, other } = address;
  const gone = [opened, other].find((state) => state !== undefined && !statesOf(list).includes(state));
  const goneTitle = `Version ${gone} is no longer kept`;
  const oldest = list.versions.at(-1);
  return (
    <>
      {restored && <RestartOffer secret={secret} onDone={() => setRestored(false)} />}
      {gone !== undefined && <Alert isInline isLiveRegion variant="info" component="h2" title={goneTitle} />}
      <VersionTable
        {...{ secret, live, list, loadedAt, address }}
        onRestore={mayRestore ? setRestoring : undefined}
      />
      {oldest === undefined ? (
        <p className="absent">No earlier versions yet. Every change archives the version before it.</p>
      ) : (
        <>
          {oldest.version > 1 && (
            <p className="hint">
              {counted(list.versions.length, 'earlier version')} kept; older ones were removed.
            </p>
          )}
          <KeyTable live={live} list={list} />
        </>
      )}
      {restoring !== undefined && (
        <RestoreDialog
          {...{ secret, note }}
          version={restoring}
          onClose={close}
          onReload={reload}
          onDone={() => {
            close();
            setRestored(true);
            reload();
          }}
        />
      )}
    </>
  );
}

/** A Secret may have thousands. */
const MOST = 50;

/** Key by key: who changed it last, when, and in which version. */
function KeyTable({ list, live }: Pick<HistoryProps, 'list' | 'live'>) {
  const keys = keyHistories(list, live);
  if (keys.length === 0) return null;
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        Keys
      </Title>
      <SmallTable
        label="Keys"
        columns={['Key', 'Last change', 'By', 'Made']}
        widths={['auto', '30%', '26%', '9rem']}
      >
        {keys.slice(0, MOST).map(({ key, what, version, by, at }) => (
          <Tr key={key}>
            <Th scope="row">{key}</Th>
            <Td dataLabel="Last change">
              {what === 'not changed since' ? what : `${what} in`}{' '}
              <Link to={`?view=${version === list.version ? 'live' : version}`}>version {version}</Link>
            </Td>
            <Td dataLabel="By">{by ?? <span className="absent">unknown</span>}</Td>
            <Td dataLabel="Made">
              {at === undefined ? <span className="absent">unknown</span> : <When time={at} relative />}
            </Td>
          </Tr>
        ))}
      </SmallTable>
      {keys.length > MOST && <p className="hint">and {keys.length - MOST} more</p>}
    </>
  );
}
