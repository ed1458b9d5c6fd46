import { useState } from 'react';
import { useParams } from 'react-router';
import { useExplanation, useVersions } from '../../api/queries.ts';
import type { SecretRef, SecretSummary, VersionList } from '../../api/secrets-api.ts';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Compare } from './compare.tsx';
import { KeyTable } from './key-table.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { useHistoryAddress } from './use-history-address.ts';
import { VersionTable } from './version-table.tsx';
import { VersionView } from './version-view.tsx';
import { RestartOffer } from '../restart/restart-offer.tsx';
import { allows } from '../../editing/rules.ts';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useListedSummary } from '../secret/use-summary.ts';

/** What the Secret was: who changed it when, what differs, and the way back. */
export function HistoryPage() {
  const { namespace = '', name = '' } = useParams();
  const secret = { namespace, name };
  const query = useVersions(secret);
  // Who made the live state is shown by the list, which holds no values.
  const { data: summary, refetch } = useListedSummary(secret);
  const reload = () => {
    void query.refetch();
    void refetch();
  };
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

interface HistoryProps {
  readonly secret: SecretRef;
  readonly live: SecretSummary | undefined;
  readonly list: VersionList;
  /** When the list came. */
  readonly loadedAt: number;
  readonly reload: () => void;
}

function History({ secret, live, list, loadedAt, reload }: HistoryProps) {
  const [restoring, setRestoring] = useState<number>();
  const [restored, setRestored] = useState(false);
  const address = useHistoryAddress();
  const { data: access } = useExplanation(secret);
  const actions = {
    onView: address.view,
    onCompare: (version: number) => address.compare(version, undefined),
    ...(allows(access?.level, 'write') ? { onRestore: setRestoring } : {}),
  };
  return (
    <>
      {restored && <RestartOffer secret={secret} onDone={() => setRestored(false)} />}
      <VersionTable live={live} list={list} actions={actions} />
      {list.versions.length > 0 && <KeyTable live={live} list={list} />}
      {address.viewed !== undefined && (
        <VersionView
          key={address.viewed}
          secret={secret}
          live={live}
          version={address.viewed}
          archived={list.versions.find(({ version }) => version === address.viewed)}
          onClose={address.close}
        />
      )}
      {list.versions.length === 0 ? (
        <p className="absent">No earlier versions yet. Every change archives the version before it.</p>
      ) : (
        <Compare secret={secret} list={list} loadedAt={loadedAt} address={address} />
      )}
      {restoring !== undefined && (
        <RestoreDialog
          secret={secret}
          version={restoring}
          onClose={() => setRestoring(undefined)}
          onReload={reload}
          onDone={() => {
            setRestoring(undefined);
            setRestored(true);
            reload();
          }}
        />
      )}
    </>
  );
}
