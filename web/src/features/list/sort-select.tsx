import { FormSelect, FormSelectOption } from '@patternfly/react-core';
import { COLUMNS, PAGED_ORDERS, type Column, type View } from './list-view.ts';

const ORDERS = {
  name: ['Name, A to Z', 'Name, Z to A'],
  type: ['Type, A to Z', 'Type, Z to A'],
  keys: ['Fewest keys first', 'Most keys first'],
  expires: ['Expires first', 'Expires last'],
  changed: ['Oldest change first', 'Newest change first'],
} as const;

export interface SortSelectProps {
  readonly view: View;
  readonly isPaged: boolean;
  readonly onChange: (order: Pick<View, 'sort' | 'descending'>) => void;
}

/** Where a window is too narrow for all columns, and so for their headings. */
export function SortSelect({ view, isPaged, onChange }: SortSelectProps) {
  return (
    <FormSelect
      aria-label="Order"
      value={`${view.sort} ${view.descending}`}
      onChange={(_event, chosen) => {
        const sort = COLUMNS.find((column) => chosen.startsWith(column));
        if (sort !== undefined) onChange({ sort, descending: chosen.endsWith('true') });
      }}
    >
      {COLUMNS.flatMap((column) =>
        ORDERS[column]
          .map((label, index) => ({ label, descending: index === 1 }))
          .filter(({ descending }) => !isPaged || isPagedOrder(column, descending))
          .map(({ label, descending }) => (
            <FormSelectOption key={label} value={`${column} ${descending}`} label={label} />
          )),
      )}
    </FormSelect>
  );
}

function isPagedOrder(column: Column, isDescending: boolean): boolean {
  return PAGED_ORDERS.some(({ sort, descending }) => sort === column && descending === isDescending);
}
