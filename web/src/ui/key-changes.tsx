import { Checkbox, Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { memo } from 'react';
import type { ChangeKind, KeyChange } from '../editing/changes.ts';
import { hasLines } from '../values/lines.ts';
import { unseenDifference } from '../values/unseen.ts';
import { LineDiff } from './line-diff.tsx';
import { Masked } from './masked.tsx';
import { SmallTable } from './small-table.tsx';
import { useDrawn } from './undrawn.tsx';

const COLORS = {
  added: 'green',
  changed: 'blue',
  renamed: 'purple',
  removed: 'red',
  same: 'grey',
} as const satisfies Record<ChangeKind, string>;

/** Key, change, before and after. */
const COLUMNS = 4;

/** What a comparison is called, and what is found of a key. */
export type ComparisonWords = Readonly<Record<'label' | 'column' | ChangeKind, string>> & {
  /** Of every difference, where neither side is the right one; left out: by what a change did. */
  readonly color?: 'blue';
};

const CHANGES: ComparisonWords = {
  label: 'Changes by key',
  column: 'Change',
  added: 'added',
  changed: 'changed',
  renamed: 'renamed',
  removed: 'removed',
  same: 'same',
};

/** Which keys a write is for, where some can be left out. */
export interface KeySelection {
  readonly label: string;
  readonly has: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

export interface ShownChange extends KeyChange {
  /** Which sides are base64 of something that is no text; left out: neither. */
  readonly binary?: { readonly before: boolean; readonly after: boolean };
}

export interface KeyChangesProps {
  readonly changes: readonly ShownChange[];
  readonly before: string;
  readonly after: string;
  /** Left out: those of a change. */
  readonly words?: ComparisonWords | undefined;
  /** Left out: all keys are meant. */
  readonly selection?: KeySelection | undefined;
}

const keyOf = ({ key }: KeyChange): string => key;

/** Of most rows, in units of the text size. */
const ROW_REM = 3;

/** Two states side by side, key by key, both masked: those of a large Secret when someone scrolls to them. */
export const KeyChanges = memo(function KeyChanges(props: KeyChangesProps) {
  const { changes, before, after, words = CHANGES, selection } = props;
  const { drawn, undrawn, rest } = useDrawn<ShownChange, HTMLTableRowElement>(changes, keyOf);
  const columns = ['Key', words.column, before, after];
  return (
    <SmallTable
      label={words.label}
      columns={selection === undefined ? columns : [...columns, selection.label]}
      className="changes"
      widths={['20%', '7.5rem']}
    >
      {drawn.map((change) => (
        <ChangeRow key={change.key} {...{ change, words, selection }} names={[before, after]} />
      ))}
      {undrawn > 0 && <tr ref={rest} aria-hidden="true" style={{ height: `${undrawn * ROW_REM}rem` }} />}
    </SmallTable>
  );
});

interface ChangeRowProps {
  readonly change: ShownChange;
  readonly names: readonly [before: string, after: string];
  readonly words: ComparisonWords;
  readonly selection: KeySelection | undefined;
}

function ChangeRow({ change, names: [before, after], words, selection }: ChangeRowProps) {
  const { key, kind, before: old, after: next, binary = { before: false, after: false } } = change;
  const texts = textsOf(change);
  // Of a change that cannot be seen by looking at both values.
  const note = texts && unseenDifference(texts.before, texts.after);
  return (
    <>
      <Tr>
        <Th scope="row">{key}</Th>
        <Td>
          <Label isCompact color={(kind === 'same' ? undefined : words.color) ?? COLORS[kind]}>
            {words[kind]}
          </Label>
          {change.from !== undefined && <span className="value-facts">from {change.from}</span>}
          {note !== undefined && <span className="value-facts">{note}</span>}
        </Td>
        <Td dataLabel={before}>
          <Masked value={old} of={`${key} (${before})`} binary={binary.before} />
        </Td>
        <Td dataLabel={after}>
          <Masked value={next} of={`${key} (${after})`} binary={binary.after} />
        </Td>
        {selection !== undefined && (
          <Td dataLabel={selection.label}>
            <Checkbox
              id={`${selection.label} ${key}`}
              aria-label={`${selection.label} ${key}`}
              isChecked={selection.has(key)}
              onChange={() => selection.toggle(key)}
            />
          </Td>
        )}
      </Tr>
      {/* Of a text of several lines, those that differ, in a row of their own: they need the whole width. */}
      {texts !== undefined && hasLines(texts.before, texts.after) && (
        <Tr>
          <Td colSpan={COLUMNS + (selection === undefined ? 0 : 1)}>
            <LineDiff of={key} {...texts} />
          </Td>
        </Tr>
      )}
    </>
  );
}

/** Both sides, where they are texts that are here and differ: only those are compared. */
function textsOf({ kind, before, after, binary }: ShownChange) {
  const isBinary = binary !== undefined && (binary.before || binary.after);
  if (kind !== 'changed' || isBinary || typeof before !== 'string' || typeof after !== 'string')
    return undefined;
  return { before, after };
}
