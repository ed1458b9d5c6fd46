import { Label } from '@patternfly/react-core';
import type { ChangeKind, KeyChange } from '../editing/changes.ts';
import { hasLines } from '../values/has-lines.ts';
import { unseenDifference } from '../values/unseen.ts';
import { LineDiff } from './line-diff.tsx';
import { Masked } from './masked.tsx';
import { CHANGE_WORDS } from '../words/edit.ts';
import { COMMON_WORDS } from '../words/common.ts';
import { KEY_CHANGES_WORDS } from '../words/value-parts.ts';

const COLORS = {
  added: 'green',
  changed: 'blue',
  renamed: 'purple',
  removed: 'red',
  same: 'grey',
} as const satisfies Record<ChangeKind, string>;

export interface ShownChange extends KeyChange {
  /** Which sides are base64 of something that is no text; left out: neither. */
  readonly binary?: { readonly before: boolean; readonly after: boolean };
}

export interface KeyChangesProps {
  readonly changes: readonly ShownChange[];
  readonly before: string;
  readonly after: string;
}

/** Two states side by side, key by key, both masked. */
export function KeyChanges({ changes, before, after }: KeyChangesProps) {
  return (
    <table className="plain stacked changes" aria-label={KEY_CHANGES_WORDS.table}>
      <thead>
        <tr>
          <th scope="col">{COMMON_WORDS.key}</th>
          <th scope="col">{KEY_CHANGES_WORDS.change}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <ChangeRow key={change.key} change={change} names={[before, after]} />
        ))}
      </tbody>
    </table>
  );
}

interface ChangeRowProps {
  readonly change: ShownChange;
  readonly names: readonly [before: string, after: string];
}

function ChangeRow({ change, names: [before, after] }: ChangeRowProps) {
  const { key, kind, before: old, after: next, binary = { before: false, after: false } } = change;
  return (
    <tr>
      <th scope="row">{key}</th>
      <td>
        <Label isCompact color={COLORS[kind]}>
          {CHANGE_WORDS.kinds[kind]}
        </Label>
        {change.from !== undefined && <span className="value-facts">{CHANGE_WORDS.from(change.from)}</span>}
        <UnseenNote change={change} />
        <Lines change={change} />
      </td>
      <td data-label={before}>
        <Masked value={old} of={`${key} (${before})`} binary={binary.before} />
      </td>
      <td data-label={after}>
        <Masked value={next} of={`${key} (${after})`} binary={binary.after} />
      </td>
    </tr>
  );
}

/** Of a text of several lines, those that differ. */
function Lines({ change: { key, kind, before, after, binary } }: Pick<ChangeRowProps, 'change'>) {
  const isText = binary === undefined || !(binary.before || binary.after);
  if (kind !== 'changed' || !isText || !hasLines(before, after)) return null;
  return <LineDiff of={key} before={before ?? ''} after={after ?? ''} />;
}

/** Of a change that cannot be seen by looking at both values. */
function UnseenNote({ change: { kind, before, after, binary } }: Pick<ChangeRowProps, 'change'>) {
  const isText = binary === undefined || !(binary.before || binary.after);
  if (kind !== 'changed' || !isText || before === undefined || after === undefined) return null;
  const note = unseenDifference(before, after);
  return note === undefined ? null : <span className="value-facts">{note}</span>;
}
