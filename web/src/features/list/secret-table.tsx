import { Checkbox, Skeleton } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr, type ThProps } from '@patternfly/react-table';
import { useEffect, type RefObject } from 'react';
import { PAGED_ORDERS, type Column, type View } from './list-view.ts';
import type { Listed } from './use-listed.ts';
import { SELECT_ALL, type Selection } from './use-selection.ts';
import { useFocusedRow, useRows } from './use-rows.ts';
import { PLAIN_CELL, SecretRow, type SecretRowProps } from './secret-row.tsx';

/** When one expires is said beside its name. */
const SHOWN = [
  ['name', 'Name'],
  ['type', 'Type'],
  ['keys', 'Keys'],
  ['access', 'Access'],
  ['changed', 'Changed'],
] as const;

interface SecretTableProps extends Pick<SecretRowProps, 'onDelete'> {
  readonly listed: Listed;
  readonly selection: Selection;
  readonly onSort: (order: Pick<View, 'sort' | 'descending'>) => void;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
}

/** A table that draws only what is in sight, however many Secrets there are. */
export function SecretTable(props: SecretTableProps) {
  const { listed, selection, onDelete, scroller, onScroll } = props;
  const { shown, rowCount, onWindow } = listed;
  const { focused, handlers } = useFocusedRow(shown);
  const { rows, to } = useRows(scroller, rowCount, focused);
  useEffect(() => onWindow(to), [onWindow, to]);
  return (
    <div
      className="table-scroll"
      ref={scroller}
      role="region"
      aria-label="Secrets, scrollable"
      tabIndex={0}
      onScroll={onScroll}
    >
      <Table
        className="secrets"
        variant="compact"
        gridBreakPoint=""
        isStickyHeader
        aria-label="Secrets"
        aria-rowcount={rowCount + 1}
      >
        <Head {...props} />
        <Tbody {...handlers}>
          {rows.map((row) => {
            if (typeof row !== 'number') return <Spacer key={row.id} height={row.height} />;
            const secret = shown[row];
            if (secret === undefined) return <Coming key={row} index={row} />;
            return (
              <SecretRow
                key={secret.name}
                secret={secret}
                index={row}
                isSelected={selection.names.has(secret.name)}
                onToggle={selection.toggle}
                onDelete={onDelete}
              />
            );
          })}
        </Tbody>
      </Table>
    </div>
  );
}

type HeadProps = Pick<SecretTableProps, 'listed' | 'selection' | 'onSort'>;

function Head({ listed: { shown, view, pages }, selection: { names, selectOnly }, onSort }: HeadProps) {
  const isPaged = pages !== undefined;
  const indexOf = (column: Column) => SHOWN.findIndex(([one]) => one === column);
  const sortOf = (column: Column): NonNullable<ThProps['sort']> => ({
    columnIndex: indexOf(column),
    sortBy: {
      index: indexOf(view.sort),
      direction: view.descending ? 'desc' : 'asc',
    },
    onSort: () =>
      onSort(
        PAGED_ORDERS.find(({ sort }) => isPaged && sort === column) ?? {
          sort: column,
          descending: view.sort === column && !view.descending,
        },
      ),
  });
  const isSortable = (column: Column) => !isPaged || PAGED_ORDERS.some(({ sort }) => sort === column);
  const all = names.size > 0 && shown.every(({ name }) => names.has(name));
  return (
    <Thead>
      <Tr aria-rowindex={1}>
        <Th className="col-select" aria-label="Selection">
          <Checkbox
            id={SELECT_ALL}
            aria-label="Select all that are shown"
            isChecked={all ? true : names.size > 0 ? null : false}
            onChange={(_event, checked) => selectOnly(checked ? shown : [])}
          />
        </Th>
        {SHOWN.map(([column, heading]) => (
          <Th
            key={column}
            {...PLAIN_CELL}
            className={`col-${column}`}
            modifier="nowrap"
            {...(column !== 'access' && isSortable(column) ? { sort: sortOf(column) } : {})}
          >
            {heading}
          </Th>
        ))}
        <Th className="col-menu" screenReaderText="Actions" />
      </Tr>
    </Thead>
  );
}

/** Stands in for rows that are not drawn. One cell is enough: more would be columns where others are hidden. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <Tr aria-hidden="true" className="spacer">
      <Td {...PLAIN_CELL} style={{ height }} />
    </Tr>
  );
}

/** A row whose page is on its way. */
function Coming({ index }: { readonly index: number }) {
  return (
    <Tr aria-rowindex={index + 2} className="secret-row">
      <Td {...PLAIN_CELL} className="col-select" />
      <Td {...PLAIN_CELL} className="col-name">
        <Skeleton screenreaderText="Loading" />
      </Td>
    </Tr>
  );
}
