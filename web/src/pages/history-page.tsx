import { useState } from 'react';
import { useParams } from 'react-router';
import { useSecretList, useVersions } from '../api/queries.ts';
import type { SecretRef, SecretSummary, VersionList } from '../api/secrets-api.ts';
import { ReloadButton } from '../components/reload-button.tsx';
import { Problem, ProblemAlert } from '../shell/problem.tsx';
import { Loading, Screen } from '../shell/screen.tsx';
import { Compare } from './history/compare.tsx';
import { RestoreDialog } from './history/restore-dialog.tsx';
import { VersionTable } from './history/version-table.tsx';
import { RestartOffer } from './restart/restart-offer.tsx';
import { detailPath, listPath } from '../paths.ts';

/** What the Secret was: who changed it when, what differs, and the way back. */
export function HistoryPage() {
  const { namespace = '', name = '' } = useParams();
  const secret = { namespace, name };
  const { data, error, refetch, isFetching, dataUpdatedAt } = useVersions(secret);
  // Who made the live state stands in the list, which holds no values.
  const list = useSecretList(namespace);
  const reload = () => {
    void refetch();
    void list.refetch();
  };
  if (data === undefined) {
    return error === null ? <Loading what="the history" /> : <Problem error={error} retry={reload} />;
  }
  return (
    <Screen
      title={`History of ${name}`}
      crumbs={[
        { text: 'Namespaces', to: '/' },
        { text: namespace, to: listPath(namespace) },
        { text: name, to: detailPath(secret) },
        { text: 'History' },
      ]}
      aside={<ReloadButton label="Reload the history" busy={isFetching} onClick={reload} />}
    >
      {error !== null && <ProblemAlert title="The history could not be reloaded" error={error} />}
      <History
        secret={secret}
        live={list.data?.secrets.find((one) => one.name === name && one.version === data.version)}
        list={data}
        round={dataUpdatedAt}
        reload={reload}
      />
    </Screen>
  );
}

interface HistoryProps {
  readonly secret: SecretRef;
  readonly live: SecretSummary | undefined;
  readonly list: VersionList;
  /** When the list came. */
  readonly round: number;
  readonly reload: () => void;
}

function History({ secret, live, list, round, reload }: HistoryProps) {
  const [restoring, setRestoring] = useState<number>();
  const [restored, setRestored] = useState(false);
  return (
    <>
      {restored && <RestartOffer secret={secret} onDone={() => setRestored(false)} />}
      <VersionTable live={live} list={list} onRestore={setRestoring} />
      {list.versions.length === 0 ? (
        <p className="absent">No version is archived yet. Every change archives the state before it.</p>
      ) : (
        <Compare secret={secret} list={list} round={round} />
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
