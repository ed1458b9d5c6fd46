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
import { allows } from '../../editing/rules.ts';
import { Choice, type ChoiceProps } from '../../ui/choice.tsx';
import { ACCESSES, EXPIRIES, filterCount, typesOf, WRITERS, type View } from './list-view.ts';
import { SortSelect } from './sort-select.tsx';
import { MOST_SELECTED, SELECT_ALL } from './use-selection.ts';

const EXPIRY_LABELS = {
  all: 'Any expiry',
  expired: 'Expired',
  soon: 'Expires within 30 days',
  certificate: 'Has a certificate',
};

const WRITER_LABELS = {
  all: 'Any writer',
  controller: 'Written by a controller',
  service: 'Managed by this service',
  unmanaged: 'Not managed yet',
};

const ACCESS_LABELS = {
  all: 'Any access',
  mine: 'Names me or my groups',
  rules: 'Has rules of its own',
  namespace: 'By namespace',
  changed: 'Last changed by me',
};

export interface ListToolbarProps {
  readonly view: View;
  /** Those that are loaded. */
  readonly secrets: readonly SecretSummary[];
  /** Whether the list comes in pages: the service looks for the text, and sorts. */
  readonly isPaged: boolean;
  readonly onChange: (change: Partial<View>) => void;
}

/** What narrows the list down. */
export function ListToolbar({ view, secrets, isPaged, onChange }: ListToolbarProps) {
  const id = useId();
  const active = filterCount(view);
  const hasExpiry = useMemo(() => secrets.some((one) => dueDatesOf(one).length > 0), [secrets]);
  // Only a narrow window closes them.
  const [isOpen, setOpen] = useState(active > 0);
  const label = isPaged ? 'Filter by name, key or description' : 'Filter by name, key, description or access';
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
            {active === 0 ? 'Filter and sort' : `Filter and sort (${active})`}
          </Button>
        </ToolbarItem>
        <ToolbarGroup id={id} variant="filter-group" className={`list-selects ${isOpen ? '' : 'is-closed'}`}>
          <Filters {...{ view, secrets, onChange }} />
          <ToolbarItem className={`list-select sort-select ${hasExpiry ? 'has-expiry' : ''}`}>
            <SortSelect view={view} isPaged={isPaged} onChange={onChange} />
          </ToolbarItem>
        </ToolbarGroup>
      </ToolbarContent>
    </Toolbar>
  );
}

/** What else than the text narrows it down. */
function Filters({ view, secrets, onChange }: Pick<ListToolbarProps, 'view' | 'secrets' | 'onChange'>) {
  const types = useMemo(() => typesOf(secrets, view.type), [secrets, view.type]);
  return (
    <>
      <ListChoice
        label="Type"
        value={view.type}
        options={[['', 'All types'], ...types.map((type) => [type, type] as const)]}
        onChange={(type) => onChange({ type })}
      />
      <ListChoice
        label="Expires"
        value={view.expires}
        options={EXPIRIES.map((one) => [one, EXPIRY_LABELS[one]] as const)}
        onChange={(expires) => onChange({ expires })}
      />
      <ListChoice
        label="Written by"
        value={view.writer}
        options={WRITERS.map((one) => [one, WRITER_LABELS[one]] as const)}
        onChange={(writer) => onChange({ writer })}
      />
      <ListChoice
        label="Access"
        value={view.access}
        options={ACCESSES.map((one) => [one, ACCESS_LABELS[one]] as const)}
        onChange={(access) => onChange({ access })}
      />
    </>
  );
}

function ListChoice<Value extends string>(props: ChoiceProps<Value>) {
  return (
    <ToolbarItem className="list-select">
      <Choice {...props} />
    </ToolbarItem>
  );
}

export interface SelectionBarProps {
  readonly namespace: string;
  readonly selected: readonly SecretSummary[];
  readonly onAccess: (secrets: readonly SecretSummary[]) => void;
  readonly onDelete: (secrets: readonly SecretSummary[]) => void;
  readonly onClear: () => void;
}

/** What can be done with those that are selected, as far as one's level on each allows it. */
export function SelectionBar({ namespace, selected, onAccess, onDelete, onClear }: SelectionBarProps) {
  const levelOn = useLevelOn(namespace);
  const manageable = selected.filter((secret) => allows(levelOn(secret), 'manage'));
  const count = selected.length;
  return (
    <>
      <span role="status" className="count">
        {count} selected
        {manageable.length < count && `, ${manageable.length} of which you can manage`}
        {count >= MOST_SELECTED && `. At most ${MOST_SELECTED} at a time.`}
      </span>
      {manageable.length > 0 && (
        <>
          <Button variant="secondary" size="sm" onClick={() => onAccess(manageable)}>
            Change access
          </Button>
          <Button variant="secondary" size="sm" isDanger onClick={() => onDelete(manageable)}>
            Delete
          </Button>
        </>
      )}
      <Button
        variant="plain"
        size="sm"
        icon={<TimesIcon />}
        aria-label="Clear selection"
        title="Clear selection"
        onClick={() => {
          onClear();
          document.getElementById(SELECT_ALL)?.focus();
        }}
      />
    </>
  );
}
