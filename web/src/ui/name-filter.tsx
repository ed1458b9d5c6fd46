import { SearchInput } from '@patternfly/react-core';
import { COMMON_WORDS } from '../words/common.ts';

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
        placeholder={COMMON_WORDS.filterByName}
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
