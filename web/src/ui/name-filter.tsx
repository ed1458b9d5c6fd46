import { SearchInput } from '@patternfly/react-core';
import { useAddressFilter } from './use-address-filter.ts';

export interface NameFilterProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** How many it leaves, of how many. */
  readonly status: string;
}

/** The field of a name filter, and what it leaves. */
export function NameFilter({
  label,
  placeholder = 'Filter by name',
  text,
  onChange,
  status,
}: NameFilterProps) {
  return (
    <>
      <SearchInput
        className="filter"
        placeholder={placeholder}
        aria-label={label}
        value={text}
        onChange={(_event, typed) => onChange(typed)}
        onClear={() => onChange('')}
      />
      <p role="status" className="count">
        {status}
      </p>
    </>
  );
}

/** Narrows a screen down by the names of the cluster's objects, which are in lower case. */
export function useNameFilter<Item extends { readonly name: string }>(items: readonly Item[]) {
  const [text, setText] = useAddressFilter('q');
  const wanted = text.trim().toLowerCase();
  return { text, setText, shown: items.filter(({ name }) => name.includes(wanted)) };
}
