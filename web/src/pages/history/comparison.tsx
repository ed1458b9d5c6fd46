import type { SplitValues, Values } from '../../api/secrets-api.ts';
import { KeyChanges } from '../../components/key-changes.tsx';
import { compareValues } from '../../editing/changes.ts';

export interface ComparisonProps {
  readonly before: SplitValues;
  readonly after: SplitValues;
  readonly names: readonly [before: string, after: string];
}

/** Text as it is and binary as base64, in one map: a key is only ever one of both. */
export function allValues({ text, binary }: SplitValues): Values {
  return new Map([...text, ...binary]);
}

export function Comparison({ before, after, names }: ComparisonProps) {
  const changes = compareValues(allValues(before), allValues(after));
  const differing = changes.filter(({ kind }) => kind !== 'same').length;
  return (
    <>
      <p role="status">
        {differing === 0
          ? 'Both states hold the same values.'
          : `${differing} of ${changes.length} keys differ.`}
      </p>
      {changes.length > 0 && <KeyChanges changes={changes} before={names[0]} after={names[1]} />}
    </>
  );
}
