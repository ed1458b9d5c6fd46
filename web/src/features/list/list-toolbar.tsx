import {
  Button,
  FormSelect,
  FormSelectOption,
  SearchInput,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import FilterIcon from '@patternfly/react-icons/dist/esm/icons/filter-icon';
import { useId, useState } from 'react';
import { FILTER_WORDS, LIST_WORDS, SELECTION_WORDS } from '../../words/list.ts';
import { ACCESSES, EXPIRIES, filterCount, WRITERS, type View } from './list-view.ts';
import { SortSelect } from './sort-select.tsx';
import { MOST_SELECTED } from './use-selection.ts';

export interface ListToolbarProps {
  readonly view: View;
  readonly types: readonly string[];
  /** Whether any Secret can be sorted by when it expires. */
  readonly hasExpiry: boolean;
  /** Whether the list comes in pages: the service looks for the text, and sorts. */
  readonly isPaged: boolean;
  readonly onChange: (change: Partial<View>) => void;
}

/** What narrows the list down. */
export function ListToolbar({ view, types, hasExpiry, isPaged, onChange }: ListToolbarProps) {
  const id = useId();
  // Only a narrow window closes them.
  const [isOpen, setOpen] = useState(filterCount(view) > 0);
  const label = isPaged ? LIST_WORDS.filterPages : LIST_WORDS.filter;
  return (
    <Toolbar className="list-toolbar" role="search" inset={{ default: 'insetNone' }}>
      <ToolbarContent>
        <ToolbarItem className="list-filter">
          <SearchInput
            placeholder={label}
            aria-label={label}
            value={view.text}
            onChange={(_event, text) => onChange({ text })}
            onClear={() => onChange({ text: '' })}
          />
        </ToolbarItem>
        <ToolbarItem className="filters-toggle">
          <Button
            variant="control"
            icon={<FilterIcon />}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {FILTER_WORDS.filters(filterCount(view))}
          </Button>
        </ToolbarItem>
        <ToolbarGroup id={id} variant="filter-group" className={`list-selects ${isOpen ? '' : 'is-closed'}`}>
          <Filters {...{ view, types, onChange }} />
          <ToolbarItem className={`list-select sort-select ${hasExpiry ? 'has-expiry' : ''}`}>
            <SortSelect view={view} isPaged={isPaged} onChange={onChange} />
          </ToolbarItem>
        </ToolbarGroup>
      </ToolbarContent>
    </Toolbar>
  );
}

/** What else than the text narrows it down. */
function Filters({ view, types, onChange }: Pick<ListToolbarProps, 'view' | 'types' | 'onChange'>) {
  return (
    <>
      <Choice
        label={FILTER_WORDS.type}
        value={view.type}
        options={[['', FILTER_WORDS.allTypes], ...types.map((type) => [type, type] as const)]}
        onChange={(type) => onChange({ type })}
      />
      <Choice
        label={FILTER_WORDS.expires}
        value={view.expires}
        options={EXPIRIES.map((one) => [one, FILTER_WORDS.expiry[one]] as const)}
        onChange={(expires) => onChange({ expires })}
      />
      <Choice
        label={FILTER_WORDS.writer}
        value={view.writer}
        options={WRITERS.map((one) => [one, FILTER_WORDS.writers[one]] as const)}
        onChange={(writer) => onChange({ writer })}
      />
      <Choice
        label={FILTER_WORDS.access}
        value={view.access}
        options={ACCESSES.map((one) => [one, FILTER_WORDS.accesses[one]] as const)}
        onChange={(access) => onChange({ access })}
      />
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <ToolbarItem className="list-select">
      <FormSelect
        aria-label={label}
        value={value}
        onChange={(_event, chosen) => {
          const option = options.find(([one]) => one === chosen);
          if (option !== undefined) onChange(option[0]);
        }}
      >
        {options.map(([one, text]) => (
          <FormSelectOption key={one} value={one} label={text} />
        ))}
      </FormSelect>
    </ToolbarItem>
  );
}

export interface SelectionBarProps {
  readonly count: number;
  readonly onAccess: () => void;
  readonly onDelete: () => void;
  readonly onClear: () => void;
}

/** What can be done with those that are selected. */
export function SelectionBar({ count, onAccess, onDelete, onClear }: SelectionBarProps) {
  return (
    <Toolbar className="list-toolbar" inset={{ default: 'insetNone' }}>
      <ToolbarContent>
        <ToolbarItem className="count">
          <span role="status">
            {SELECTION_WORDS.selected(count)}
            {count >= MOST_SELECTED && `. ${SELECTION_WORDS.most(MOST_SELECTED)}`}
          </span>
        </ToolbarItem>
        <ToolbarItem>
          <Button variant="secondary" onClick={onAccess}>
            {SELECTION_WORDS.access}
          </Button>
        </ToolbarItem>
        <ToolbarItem>
          <Button variant="secondary" isDanger onClick={onDelete}>
            {SELECTION_WORDS.delete}
          </Button>
        </ToolbarItem>
        <ToolbarItem>
          <Button variant="link" onClick={onClear}>
            {SELECTION_WORDS.clear}
          </Button>
        </ToolbarItem>
      </ToolbarContent>
    </Toolbar>
  );
}
