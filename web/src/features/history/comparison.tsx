import type { SplitValues } from '../../api/secrets-api.ts';
import { KeyChanges } from '../../ui/key-changes.tsx';
import { compareStates } from './states.ts';
import { COMPARISON_WORDS } from '../../words/history.ts';

export interface ComparisonProps {
  readonly before: SplitValues;
  readonly after: SplitValues;
  readonly names: readonly [before: string, after: string];
}

export function Comparison({ before, after, names }: ComparisonProps) {
  const changes = compareStates(before, after);
  const differing = changes.filter(({ kind }) => kind !== 'same').length;
  return (
    <>
      <p role="status">
        {differing === 0 ? COMPARISON_WORDS.same : COMPARISON_WORDS.differ(differing, changes.length)}
      </p>
      {changes.length > 0 && <KeyChanges changes={changes} before={names[0]} after={names[1]} />}
    </>
  );
}
