import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useSecret, useVersion } from '../../api/queries.ts';
import type { SecretRef, SplitValues } from '../../api/secrets-api.ts';
import { KeyChanges, type ComparisonWords } from '../../ui/key-changes.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading } from '../../ui/screen.tsx';
import { compareStates } from './states.ts';
import type { State } from './states.ts';

export interface CompareProps {
  readonly secret: SecretRef;
  readonly before: State;
  readonly after: State;
}

/** Two states side by side. Values are requested only now, and only those of the two. */
export function Compare({ secret, before, after }: CompareProps) {
  const live = useSecret(secret, before === 'live' || after === 'live');
  const first = useVersion(secret, before === 'live' ? undefined : before);
  const second = useVersion(secret, after === 'live' ? undefined : after);
  const sides = [before === 'live' ? live : first, after === 'live' ? live : second] as const;
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
  const [left, right] = [sides[0].data, sides[1].data];
  if (left === undefined || right === undefined) return <Loading what="the versions" />;
  return (
    <div ref={bringPanelIntoSight}>
      <Comparison before={left} after={right} names={[nameOf(before), nameOf(after)]} of="versions" />
    </div>
  );
}

/** A version is called the same in the address, in a list to choose from and above its values. */
export const nameOf = (state: State): string => (state === 'live' ? 'Live' : `Version ${state}`);

/** Nothing moves where it is in sight already; of what is higher than the window, the beginning comes. */
export function bringPanelIntoSight(element: Element | null): void {
  element?.closest('section')?.scrollIntoView({ block: 'nearest' });
}

interface ComparisonProps {
  readonly before: SplitValues;
  readonly after: SplitValues;
  readonly names: readonly [before: string, after: string];
  /** What both are. */
  readonly of: string;
  readonly words?: ComparisonWords;
  /** Whether the others are shown from the beginning. */
  readonly showsAll?: boolean;
}

/** The keys that differ; the others are shown when someone wants to read them. */
export function Comparison({ before, after, names, of, words, showsAll = false }: ComparisonProps) {
  const [showsSame, setShowsSame] = useState(showsAll);
  const changes = compareStates(before, after);
  const differing = changes.filter(({ kind }) => kind !== 'same');
  const shown = showsSame ? changes : differing;
  const sameCount = changes.length - differing.length;
  return (
    <>
      <p role="status">
        {differing.length === 0
          ? `Both ${of} have the same values.`
          : changes.length === 1
            ? 'The only key differs.'
            : `${differing.length} of ${changes.length} keys differ.`}
      </p>
      {shown.length > 0 && <KeyChanges changes={shown} before={names[0]} after={names[1]} words={words} />}
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
