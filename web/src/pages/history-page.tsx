import { Button, FormSelect, FormSelectOption, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useSecret, useVersion, useVersions } from '../api/queries.ts';
import type { SecretDetail, VersionList } from '../api/secrets-api.ts';
import { Problem, ProblemAlert } from '../shell/problem.tsx';
import { Loading, Screen } from '../shell/screen.tsx';
import { Comparison } from './history/comparison.tsx';
import { RestoreDialog } from './history/restore-dialog.tsx';
import { VersionTable } from './history/version-table.tsx';
import { RestartOffer } from './restart/restart-offer.tsx';

/** What the Secret was: who changed it when, what differs, and the way back. */
export function HistoryPage() {
  const { namespace = '', name = '' } = useParams();
  const ref = { namespace, name };
  const live = useSecret(ref);
  const versions = useVersions(ref);
  const reload = () => {
    void live.refetch();
    void versions.refetch();
  };
  const error = live.error ?? versions.error;
  if (error !== null) return <Problem error={error} retry={reload} />;
  if (live.data === undefined || versions.data === undefined) return <Loading what="the history" />;
  return <History live={live.data} list={versions.data} reload={reload} />;
}

interface HistoryProps {
  readonly live: SecretDetail;
  readonly list: VersionList;
  readonly reload: () => void;
}

function History({ live, list, reload }: HistoryProps) {
  const [restoring, setRestoring] = useState<number>();
  const [restored, setRestored] = useState(false);
  const listAddress = `/namespaces/${live.namespace}`;
  return (
    <Screen
      title={`History of ${live.name}`}
      crumbs={[
        { text: 'Namespaces', to: '/' },
        { text: live.namespace, to: listAddress },
        { text: live.name, to: `${listAddress}/secrets/${live.name}` },
        { text: 'History' },
      ]}
    >
      {restored && <RestartOffer secret={live} onDone={() => setRestored(false)} />}
      <VersionTable live={live} versions={list.versions} onRestore={setRestoring} />
      {list.versions.length === 0 ? (
        <p className="absent">No version is archived yet. Every change archives the state before it.</p>
      ) : (
        <Compare key={live.resourceVersion} live={live} list={list} />
      )}
      {restoring !== undefined && (
        <RestoreDialog
          live={live}
          version={restoring}
          onClose={() => setRestoring(undefined)}
          onDone={() => {
            setRestoring(undefined);
            setRestored(true);
            reload();
          }}
        />
      )}
    </Screen>
  );
}

function Compare({ live, list }: { readonly live: SecretDetail; readonly list: VersionList }) {
  // Undefined is the live state.
  const [left, setLeft] = useState<number | undefined>(list.versions[0]?.version);
  const [right, setRight] = useState<number>();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        Compare
      </Title>
      <div className="filters">
        <StateSelect label="First state" value={left} list={list} onChange={setLeft} />
        <StateSelect label="Second state" value={right} list={list} onChange={setRight} />
        {!open && (
          <Button variant="secondary" onClick={() => setOpen(true)}>
            Compare
          </Button>
        )}
      </div>
      {open && <Compared live={live} left={left} right={right} />}
    </>
  );
}

interface StateSelectProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly list: VersionList;
  readonly onChange: (version: number | undefined) => void;
}

function StateSelect({ label, value, list, onChange }: StateSelectProps) {
  return (
    <FormSelect
      aria-label={label}
      value={value ?? LIVE}
      onChange={(_event, chosen) => onChange(chosen === LIVE ? undefined : Number(chosen))}
    >
      <FormSelectOption value={LIVE} label={`Live (version ${list.version})`} />
      {list.versions.map(({ version }) => (
        <FormSelectOption key={version} value={version} label={`Version ${version}`} />
      ))}
    </FormSelect>
  );
}

const LIVE = 'live';

interface ComparedProps {
  readonly live: SecretDetail;
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** Values of archived versions are asked for only now. */
function Compared({ live, left, right }: ComparedProps) {
  const first = useVersion(live, left);
  const second = useVersion(live, right);
  const error = first.error ?? second.error;
  if (error !== null) return <ProblemAlert title="They cannot be compared" error={error} />;
  const before = left === undefined ? live : first.data;
  const after = right === undefined ? live : second.data;
  if (before === undefined || after === undefined) return <Loading what="the versions" />;
  const nameOf = (version: number | undefined) => (version === undefined ? 'Live' : `Version ${version}`);
  return <Comparison before={before} after={after} names={[nameOf(left), nameOf(right)]} />;
}
