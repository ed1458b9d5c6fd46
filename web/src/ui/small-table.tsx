import { Table, Tbody, Th, Thead, Tr } from '@patternfly/react-table';
import type { ReactNode } from 'react';

export interface SmallTableProps {
  /** What it is read out as, or the id of a heading that says it. */
  readonly label?: string;
  readonly labelledBy?: string;
  readonly columns: readonly string[];
  /** Read out above the buttons of each row. */
  readonly actions?: string;
  readonly className?: string;
  /** Of the first columns, where their content must not decide. */
  readonly widths?: readonly string[];
  /** The rows. */
  readonly children: ReactNode;
}

/** PatternFly would cut a heading off, and make a stop for the keyboard of it, with a tooltip. */
const WHOLE = { modifier: 'nowrap', tooltip: null, tabIndex: undefined } as const;

/** A table that is drawn whole: compact, and on a narrow window a block for each row. */
export function SmallTable(props: SmallTableProps) {
  const { label, labelledBy, columns, actions, className, widths = [], children } = props;
  return (
    <Table
      variant="compact"
      role="table"
      gridBreakPoint="grid-md"
      className={`small-table ${className ?? ''}`}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(labelledBy === undefined ? {} : { 'aria-labelledby': labelledBy })}
    >
      <Thead>
        <Tr>
          {columns.map((column, index) => (
            <Th key={column} {...WHOLE} scope="col" style={{ width: widths[index] }}>
              {column}
            </Th>
          ))}
          {actions !== undefined && <Th scope="col" screenReaderText={actions} />}
        </Tr>
      </Thead>
      <Tbody>{children}</Tbody>
    </Table>
  );
}
