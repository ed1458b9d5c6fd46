import { Td, Th, Tr } from '@patternfly/react-table';
import { Fragment, type ReactNode } from 'react';
import type { KeyChanges } from '../api/schema.ts';
import { firstOf, formatDay } from '../values/format.ts';
import { useNow } from './use-now.ts';

export const UNKNOWN = <span className="absent">unknown</span>;

export interface RowsByDayProps<Row> {
  readonly rows: readonly Row[];
  /** RFC 3339. */
  readonly timeOf: (row: Row) => string | undefined;
  readonly keyOf: (row: Row) => string | number;
  /** Of the table. */
  readonly columns: number;
  readonly children: (row: Row) => ReactNode;
}

/** Rows in the order of their times, each day's under its date. */
export function RowsByDay<Row>({ rows, timeOf, keyOf, columns, children }: RowsByDayProps<Row>) {
  const now = useNow();
  const days = rows.map(timeOf).map((time) => time && formatDay(new Date(time), now));
  return rows.map((row, index) => (
    <Fragment key={keyOf(row)}>
      {days[index] !== undefined && days[index] !== days[index - 1] && (
        <Tr>
          <Th scope="rowgroup" colSpan={columns} className="day">
            {days[index]}
          </Th>
        </Tr>
      )}
      {children(row)}
    </Fragment>
  ));
}

/** Who made a version. */
export function ByCell({ email }: { readonly email: string | undefined }) {
  return (
    <Td dataLabel="By">
      {email === undefined ? (
        UNKNOWN
      ) : (
        <span className="by">
          <span aria-hidden className="initial">
            {email.slice(0, 1).toUpperCase()}
          </span>
          {email}
        </span>
      )}
    </Td>
  );
}

/** More keys are in the row that opens. */
const SHOWN = 6;

export interface ChangedKeysProps {
  readonly changes: KeyChanges | undefined;
  /** Said where they are not known. */
  readonly otherwise?: string | undefined;
}

/** Which keys a version changed against the one before it. */
export function ChangedKeys({ changes, otherwise }: ChangedKeysProps) {
  if (changes === undefined) return <span className="absent">{otherwise}</span>;
  // The sign and the key stay on one line.
  const all = [
    ...changes.changed.map((key) => `${key} changed`),
    ...changes.added.map((key) => `+\u00a0${key}`),
    ...changes.removed.map((key) => `−\u00a0${key}`),
  ];
  if (all.length === 0) return <span className="absent">no value changed</span>;
  return <span title={all.join(', ')}>{firstOf(all, SHOWN)}</span>;
}
