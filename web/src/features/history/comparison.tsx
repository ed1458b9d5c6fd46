import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { SplitValues } from '../../api/secrets-api.ts';
import { KeyChanges } from '../../ui/key-changes.tsx';
import { compareStates } from './states.ts';

export interface ComparisonProps {
  readonly before: SplitValues;
  readonly after: SplitValues;
  readonly names: readonly [before: string, after: string];
}

/** The keys that differ; the others are shown when someone wants to read them. */
export function Comparison({ before, after, names }: ComparisonProps) {
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
