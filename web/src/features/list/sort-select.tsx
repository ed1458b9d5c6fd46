import { FormSelect, FormSelectOption } from '@patternfly/react-core';
import { COLUMNS, type Column, type View } from './list-view.ts';

const ORDERS: Readonly<Record<Column, readonly [ascending: string, descending: string]>> = {
  name: ['Name, A to Z', 'Name, Z to A'],
  type: ['Type, A to Z', 'Type, Z to A'],
  keys: ['Fewest keys first', 'Most keys first'],
  version: ['Lowest version first', 'Highest version first'],
  changed: ['Oldest change first', 'Newest change first'],
};

export interface SortSelectProps {
  readonly view: View;
  readonly onChange: (order: Pick<View, 'sort' | 'descending'>) => void;
}

/** Where a window is too narrow for all columns, and so for their headings. */
export function SortSelect({ view, onChange }: SortSelectProps) {
  return (
    <FormSelect
      className="sort-select"
      aria-label="Order"
      value={`${view.sort} ${view.descending}`}
      onChange={(_event, chosen) => {
        const sort = COLUMNS.find((column) => chosen.startsWith(column));
        if (sort !== undefined) onChange({ sort, descending: chosen.endsWith('true') });
      }}
    >
      {COLUMNS.flatMap((column) =>
        ORDERS[column].map((label, index) => (
          <FormSelectOption key={label} value={`${column} ${index === 1}`} label={label} />
        )),
      )}
    </FormSelect>
  );
}
