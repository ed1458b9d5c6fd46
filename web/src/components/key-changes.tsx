import { Label } from '@patternfly/react-core';
import type { ChangeKind, KeyChange } from '../editing/changes.ts';
import { Masked } from './masked.tsx';

const COLORS = { added: 'green', changed: 'blue', removed: 'red', same: 'grey' } as const satisfies Record<
  ChangeKind,
  string
>;

export interface KeyChangesProps {
  readonly changes: readonly KeyChange[];
  readonly before: string;
  readonly after: string;
}

/** Two states side by side, key by key, both masked. */
export function KeyChanges({ changes, before, after }: KeyChangesProps) {
  return (
    <table className="plain stacked" aria-label="Changes by key">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Change</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ key, kind, before: old, after: next }) => (
          <tr key={key}>
            <th scope="row">{key}</th>
            <td>
              <Label isCompact color={COLORS[kind]}>
                {kind}
              </Label>
            </td>
            <td data-label={before}>
              <Masked value={old} of={`${key} (${before})`} />
            </td>
            <td data-label={after}>
              <Masked value={next} of={`${key} (${after})`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
