import {
  Button,
  SearchInput,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import FilterIcon from '@patternfly/react-icons/dist/esm/icons/filter-icon';
import TimesIcon from '@patternfly/react-icons/dist/esm/icons/times-icon';
import { useId, useMemo, useState } from 'react';
import { useLevelOn } from '../../api/queries.ts';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { dueDatesOf } from '../../values/expiry.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { allows } from '../../editing/rules.ts';
import { allowsChange } from '../../editing/secret-types.ts';
import {
  choicesOf,
  COLUMNS,
  FILTER_NAMES,
  filterCount,
  PAGED_ORDERS,
  SORTS,
  typesOf,
  type View,
} from './list-view.ts';
import type { Listed } from './use-listed.ts';
import { MOST_SELECTED, SELECT_ALL, type Selection } from './use-selection.ts';

const LABELS = { expires: 'Expires', writer: 'Written by', access: 'Access' };

interface ListToolbarProps {
  readonly listed: Pick<Listed, 'view' | 'loaded' | 'pages'>;
  readonly onChange: (change: Partial<View>) => void;
}

/** What narrows the list down. */
export function ListToolbar({ listed, onChange }: ListToolbarProps) {
  const { view, loaded, pages } = listed;
  const id = useId();
  const active = filterCount(view);
  const hasExpiry = useMemo(() => loaded.some((one) => dueDatesOf(one).length > 0), [loaded]);
  // Only a narrow window closes them.
  const [isOpen, setOpen] = useState(active > 0);
  // The service looks for the text.
  const label =
    pages !== undefined ? 'Filter by name, key or description' : 'Filter by name, key, description or access';
  return (
    <Toolbar className="list-toolbar" role="search" inset={{ default: 'insetNone' }}>
      <ToolbarContent>
        <ToolbarItem className="list-filter">
          <SearchInput
            placeholder="Filter by name, key, description…"
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
            <span className="toggle-text">Filter and sort</span>
            {active > 0 && ` (${active})`}
          </Button>
        </ToolbarItem>
        <ToolbarGroup id={id} variant="filter-group" className={`list-selects ${isOpen ? '' : 'is-closed'}`}>
          <Filters {...{ listed, onChange }} />
          <ToolbarItem className={`list-select sort-select ${hasExpiry ? 'has-expiry' : ''}`}>
            <SortSelect {...{ listed, onChange }} />
          </ToolbarItem>
        </ToolbarGroup>
      </ToolbarContent>
    </Toolbar>
  );
}

/** What else than the text narrows it down. */
function Filters({ listed: { view, loaded }, onChange }: ListToolbarProps) {
  const types = useMemo(() => typesOf(loaded, view.type), [loaded, view.type]);
  return (
    <>
      <ToolbarItem className="list-select">
        <Select
          label="Type"
          value={view.type}
          options={[['', 'All types'], ...types.map((type) => [type, type] as const)]}
          onChange={(type) => onChange({ type })}
        />
      </ToolbarItem>
      {FILTER_NAMES.map((name) => (
        <ToolbarItem key={name} className="list-select">
          <Select<string>
            label={LABELS[name]}
            value={view[name]}
            options={Object.entries(choicesOf(name)).map(([value, [text]]) => [value, text] as const)}
            onChange={(chosen) => onChange({ [name]: chosen })}
          />
        </ToolbarItem>
      ))}
    </>
  );
}

/** An action that is being confirmed or carried out, and the Secrets that were chosen for it. */
export interface BulkAction {
  readonly kind: 'delete' | 'access';
  readonly secrets: readonly SecretSummary[];
}

interface SelectionBarProps {
  readonly namespace: string;
  readonly selection: Selection;
  readonly onAction: (action: BulkAction) => void;
}

/** What can be done with those that are selected, as far as one's level on each allows it. */
export function SelectionBar({ namespace, selection, onAction }: SelectionBarProps) {
  const { selected } = selection;
  const levelOn = useLevelOn(namespace);
  const manageable = selected.filter((secret) => allows(levelOn(secret), 'manage'));
  const changeable = selected.filter((secret) => allowsChange(levelOn(secret), 'manage', secret.type));
  const count = selected.length;
  return (
    <>
      <span role="status" className="count">
        {count} selected
        {manageable.length < count && `, ${manageable.length} of which you can manage`}
        {count >= MOST_SELECTED && `. At most ${MOST_SELECTED} at a time.`}
      </span>
      {changeable.length > 0 && (
        <Button
          variant="secondary"
          size="sm"
          onClick={() => onAction({ kind: 'access', secrets: changeable })}
        >
          Change access
        </Button>
      )}
      {manageable.length > 0 && (
        <Button
          variant="secondary"
          size="sm"
          isDanger
          onClick={() => onAction({ kind: 'delete', secrets: manageable })}
        >
          Delete
        </Button>
      )}
      <IconButton
        size="sm"
        icon={<TimesIcon />}
        label="Clear selection"
        onClick={() => {
          selection.selectOnly([]);
          document.getElementById(SELECT_ALL)?.focus();
        }}
      />
    </>
  );
}

/** Where a window is too narrow for all columns, and so for their headings. */
function SortSelect({ listed: { view, pages }, onChange }: ListToolbarProps) {
  const all = COLUMNS.flatMap((sort) => [false, true].map((descending) => ({ sort, descending })));
  const orders = pages === undefined ? all : PAGED_ORDERS;
  const idOf = ({ sort, descending }: (typeof all)[number]) => `${sort} ${descending}`;
  return (
    <Select
      label="Order"
      value={idOf(view)}
      options={orders.map((one) => [idOf(one), SORTS[one.sort].orders[one.descending ? 1 : 0]] as const)}
      onChange={(chosen) => onChange(orders.find((one) => idOf(one) === chosen) ?? {})}
    />
  );
}
