import { Button, FormSelect, FormSelectOption, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { useSecret, useVersion } from '../../api/queries.ts';
import type { SecretRef, VersionList, SplitValues } from '../../api/secrets-api.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading } from '../../ui/screen.tsx';
import type { State, useHistoryAddress } from './use-history-address.ts';
import { KeyChanges } from '../../ui/key-changes.tsx';
import { compareStates } from './states.ts';

export interface CompareProps {
  readonly secret: SecretRef;
  readonly list: VersionList;
  /** When the list was loaded. After that the values may have changed, so a new time reads them again. */
  readonly loadedAt: number;
  readonly address: Pick<ReturnType<typeof useHistoryAddress>, 'comparison' | 'compare'>;
}

/** Any two states side by side, once someone wants to see them. Which two is in the address. */
export function Compare({ secret, list, loadedAt, address }: CompareProps) {
  const archived = list.versions.map(({ version }) => version);
  // The oldest version goes when a new one comes.
  const known = (version: State) =>
    version !== undefined && archived.includes(version) ? version : undefined;
  // Chosen before anything is compared, which reads values.
  const [chosen, setChosen] = useState<readonly [State, State]>([archived[0], undefined]);
  const isOpen = address.comparison !== undefined;
  const [left, right] = (address.comparison ?? chosen).map(known);
  const choose = (first: State, second: State) =>
    isOpen ? address.compare(first, second) : setChosen([first, second]);
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        Compare
      </Title>
      <div className="filters">
        <StateSelect
          label="First state"
          value={left}
          list={list}
          onChange={(first) => choose(first, right)}
        />
        <StateSelect
          label="Second state"
          value={right}
          list={list}
          onChange={(second) => choose(left, second)}
        />
        {!isOpen && (
          <Button variant="secondary" onClick={() => address.compare(left, right)}>
            Compare
          </Button>
        )}
      </div>
      {isOpen && <Compared key={loadedAt} secret={secret} left={left} right={right} />}
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
  readonly secret: SecretRef;
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** Values are requested only now, and only those of the two states. */
function Compared({ secret, left, right }: ComparedProps) {
  const live = useSecret(secret, left === undefined || right === undefined);
  const first = useVersion(secret, left);
  const second = useVersion(secret, right);
  const sides = [left === undefined ? live : first, right === undefined ? live : second] as const;
  const failed = sides.find(({ error }) => error !== null);
  if (failed !== undefined) {
    return (
      <>
        <ProblemAlert title="Couldn't compare the versions" error={failed.error} />
        <Button variant="link" onClick={() => void failed.refetch()}>
          Try again
        </Button>
      </>
    );
  }
  const [before, after] = [sides[0].data, sides[1].data];
  if (before === undefined || after === undefined) return <Loading what="the versions" />;
  return <Comparison before={before} after={after} names={[nameOf(left), nameOf(right)]} />;
}

function nameOf(version: number | undefined): string {
  return version === undefined ? 'Live' : `Version ${version}`;
}

interface ComparisonProps {
  readonly before: SplitValues;
  readonly after: SplitValues;
  readonly names: readonly [before: string, after: string];
}

/** The keys that differ; the others are shown when someone wants to read them. */
function Comparison({ before, after, names }: ComparisonProps) {
  const [showsSame, setShowsSame] = useState(false);
  const changes = compareStates(before, after);
  const differing = changes.filter(({ kind }) => kind !== 'same');
  const shown = showsSame ? changes : differing;
  const sameCount = changes.length - differing.length;
  return (
    <>
      <p role="status">
        {differing.length === 0
          ? 'Both versions have the same values.'
          : changes.length === 1
            ? 'The only key differs.'
            : `${differing.length} of ${changes.length} keys differ.`}
      </p>
      {shown.length > 0 && <KeyChanges changes={shown} before={names[0]} after={names[1]} />}
      {sameCount > 0 && (
        <Button variant="link" isInline onClick={() => setShowsSame(!showsSame)}>
          {showsSame
            ? 'Show only the keys that differ'
            : sameCount === 1
              ? 'Show the key that is the same'
              : `Show the ${sameCount} keys that are the same`}
        </Button>
      )}
    </>
  );
}
