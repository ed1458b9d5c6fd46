import { Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import type { ChangeKind, KeyChange } from '../editing/changes.ts';
import { hasLines } from '../values/has-lines.ts';
import { unseenDifference } from '../values/unseen.ts';
import { LineDiff } from './line-diff.tsx';
import { Masked } from './masked.tsx';
import { SmallTable } from './small-table.tsx';

const COLORS = {
  added: 'green',
  changed: 'blue',
  renamed: 'purple',
  removed: 'red',
  same: 'grey',
} as const satisfies Record<ChangeKind, string>;

/** Key, change, before and after. */
const COLUMNS = 4;

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
    <SmallTable
      label="Changes by key"
      columns={['Key', 'Change', before, after]}
      className="changes"
      widths={['20%', '9.5rem']}
    >
      {changes.map((change) => (
        <ChangeRow key={change.key} change={change} names={[before, after]} />
      ))}
    </SmallTable>
  );
}

interface ChangeRowProps {
  readonly change: ShownChange;
  readonly names: readonly [before: string, after: string];
}

function ChangeRow({ change, names: [before, after] }: ChangeRowProps) {
  const { key, kind, before: old, after: next, binary = { before: false, after: false } } = change;
  return (
    <>
      <Tr>
        <Th scope="row">{key}</Th>
        <Td>
          <Label isCompact color={COLORS[kind]}>
            {kind}
          </Label>
          {change.from !== undefined && <span className="value-facts">from {change.from}</span>}
          <UnseenNote change={change} />
        </Td>
        <Td dataLabel={before}>
          <Masked value={old} of={`${key} (${before})`} binary={binary.before} />
        </Td>
        <Td dataLabel={after}>
          <Masked value={next} of={`${key} (${after})`} binary={binary.after} />
        </Td>
      </Tr>
      <Lines change={change} />
    </>
  );
}

/** Of a text of several lines, those that differ, in a row of their own: they need the whole width. */
function Lines({ change: { key, kind, before, after, binary } }: Pick<ChangeRowProps, 'change'>) {
  const isText = binary === undefined || !(binary.before || binary.after);
  if (kind !== 'changed' || !isText || !hasLines(before, after)) return null;
  return (
    <Tr>
      <Td colSpan={COLUMNS}>
        <LineDiff of={key} before={before ?? ''} after={after ?? ''} />
      </Td>
    </Tr>
  );
}

/** Of a change that cannot be seen by looking at both values. */
function UnseenNote({ change: { kind, before, after, binary } }: Pick<ChangeRowProps, 'change'>) {
  const isText = binary === undefined || !(binary.before || binary.after);
  if (kind !== 'changed' || !isText || before === undefined || after === undefined) return null;
  const note = unseenDifference(before, after);
  return note === undefined ? null : <span className="value-facts">{note}</span>;
}
