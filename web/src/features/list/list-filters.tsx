import { FormSelect, FormSelectOption, SearchInput } from '@patternfly/react-core';
import type { Managed, View } from './list-view.ts';
import { SortSelect } from './sort-select.tsx';

export interface ListFiltersProps {
  readonly view: View;
  readonly types: readonly string[];
  readonly onChange: (change: Partial<View>) => void;
}

export function ListFilters({ view, types, onChange }: ListFiltersProps) {
  return (
    <div className="filters" role="search">
      <SearchInput
        className="filter"
        placeholder="Filter by name, key, description or access"
        aria-label="Filter by name, key, description or access"
        value={view.text}
        onChange={(_event, text) => onChange({ text })}
        onClear={() => onChange({ text: '' })}
      />
      <FormSelect aria-label="Type" value={view.type} onChange={(_event, type) => onChange({ type })}>
        <FormSelectOption value="" label="All types" />
        {types.map((type) => (
          <FormSelectOption key={type} value={type} label={type} />
        ))}
      </FormSelect>
      <FormSelect
        aria-label="Managed"
        value={view.managed}
        onChange={(_event, managed) => onChange({ managed: managed as Managed })}
      >
        <FormSelectOption value="all" label="Managed or not" />
        <FormSelectOption value="managed" label="Managed by this service" />
        <FormSelectOption value="unmanaged" label="Not managed yet" />
      </FormSelect>
      <SortSelect view={view} onChange={onChange} />
    </div>
  );
}
