import { SearchInput } from '@patternfly/react-core';

export interface NameFilterProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** How many it leaves, of how many. */
  readonly status: string;
}

/** The field of a name filter, and what it leaves. */
export function NameFilter({ label, text, onChange, status }: NameFilterProps) {
  return (
    <>
      <SearchInput
        className="filter"
        placeholder="Filter by name"
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
