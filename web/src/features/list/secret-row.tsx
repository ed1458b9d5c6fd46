import { Checkbox, Label, DropdownGroup, DropdownItem, DropdownList } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { memo, useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { hasRules, type AccessRules } from '../../../../src/contract/access-rules.ts';
import type { SecretSummary, SecretRef } from '../../api/secrets-api.ts';
import { entriesOf, allows } from '../../editing/rules.ts';
import { allowsChange } from '../../editing/secret-types.ts';
import { detailPath, copyPath, editPath, historyPath } from '../../paths.ts';
import { firstOf } from '../../values/format.ts';
import { When } from '../../ui/when.tsx';
import { TypeLabel } from '../../ui/type-label.tsx';
import { StateLabels } from '../../ui/state-labels.tsx';
import { DuplicateItem } from '../../ui/duplicate-item.tsx';
import { DueLabel } from '../../ui/due-label.tsx';
import { dueDatesOf } from '../../values/expiry.ts';
import { controllerOf } from '../../values/origin.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { useLevelOn } from '../../api/queries.ts';
import { useApi } from '../../api/api-context.ts';
import { textOf } from '../../../../src/contract/text.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useSecretStar } from '../../places/use-places.ts';
import { useNotify } from '../../ui/notices.tsx';

export interface SecretRowProps {
  readonly secret: SecretSummary;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onToggle: (secret: SecretSummary) => void;
  readonly onDelete: (secret: SecretSummary) => void;
}

/** A cell that is cut off has a title. PatternFly would make a stop for the keyboard of it, with a tooltip. */
export const PLAIN_CELL = { tooltip: null, tabIndex: undefined } as const;

/** One Secret; every row has the same height, so that only those in sight need be drawn. */
export const SecretRow = memo(function SecretRow(props: SecretRowProps) {
  const { secret, index, isSelected, onToggle, onDelete } = props;
  const { name, type, keys, description, lastModifiedBy, lastModifiedAt, creationTimestamp } = secret;
  return (
    <Tr aria-rowindex={index + 2} data-row={index} isRowSelected={isSelected} className="secret-row">
      <Td {...PLAIN_CELL} className="col-select">
        <Checkbox
          id={`select-${name}`}
          aria-label={`Select ${name}`}
          isChecked={isSelected}
          onChange={() => onToggle(secret)}
        />
      </Td>
      <Th {...PLAIN_CELL} scope="row" className="col-name">
        <span className="name-line">
          <Link to={detailPath(secret)} title={name}>
            {name}
          </Link>
          <SecretBadges secret={secret} />
        </span>
        {description !== '' && (
          <span className="second-line" title={description}>
            {description}
          </span>
        )}
      </Th>
      <Td {...PLAIN_CELL} dataLabel="Type" className="col-type">
        <TypeLabel type={type} />
      </Td>
      <Td {...PLAIN_CELL} dataLabel="Keys" className="col-keys" title={keys.join(', ')}>
        {keysText(keys)}
      </Td>
      <Td {...PLAIN_CELL} dataLabel="Access" className="col-access" title={accessText(secret)}>
        {accessText(secret)}
      </Td>
      <Td {...PLAIN_CELL} dataLabel="Changed" className="col-changed">
        <When time={lastModifiedAt ?? creationTimestamp} relative />
        <span className="second-line" title={lastModifiedBy}>
          {lastModifiedBy}
        </span>
      </Td>
      <Td {...PLAIN_CELL} className="col-menu">
        <RowMenu secret={secret} onDelete={onDelete} />
      </Td>
    </Tr>
  );
});

/** Few are named; the title has them all. */
function keysText(keys: readonly string[]): string {
  if (keys.length === 0) return 'no keys';
  return keys.length <= 3 ? keys.join(', ') : `${keys.length} keys`;
}

function accessText(rules: AccessRules): string {
  return firstOf([...(hasRules(rules) ? [] : ['namespace']), ...entriesOf(rules)], 2);
}

/** What needs attention; nothing where all is as usual. */
function SecretBadges({ secret }: { readonly secret: SecretSummary }) {
  const { controlledBy } = secret;
  return (
    <>
      <StateLabels secret={secret} />
      <DueLabel due={dueDatesOf(secret)[0]} />
      {controlledBy !== undefined && (
        <Label isCompact color="grey" title={`${controllerOf(controlledBy)} overwrites edits`}>
          {controllerOf({ kind: controlledBy.kind })}
        </Label>
      )}
    </>
  );
}

interface RowMenuProps {
  readonly secret: SecretSummary;
  readonly onDelete: (secret: SecretSummary) => void;
}

/** What can be done with a Secret without opening it. */
function RowMenu(props: RowMenuProps) {
  return (
    <ActionMenu label={`Actions for ${props.secret.name}`}>
      <Items {...props} />
    </ActionMenu>
  );
}

/** More would fill the window; all are on the page of the Secret. */
const MOST_KEYS = 5;

function Items({ secret, onDelete }: RowMenuProps) {
  const { namespace, name, type, keys } = secret;
  const level = useLevelOn(namespace)(secret);
  const mayWrite = allowsChange(level, 'write', type);
  const navigate = useNavigate();
  const copyKey = useCopyKey(secret);
  const { isStarred, label, toggle } = useSecretStar(secret);
  const notify = useNotify();
  const toggleStar = () => {
    toggle();
    notify(isStarred ? `${name} is no longer starred.` : `${name} is starred.`);
  };
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // It is placed a moment after it is drawn, and can take the focus only then.
    const timer = window.setTimeout(() => first.current?.focus({ preventScroll: true }));
    return () => window.clearTimeout(timer);
  }, [mayWrite]);
  const item = (text: string, to: string, ref?: typeof first) => (
    <DropdownItem {...(ref && { ref })} onClick={() => void navigate(to)}>
      {text}
    </DropdownItem>
  );
  return (
    <>
      <DropdownList aria-label={`Actions for ${name}`}>
        {mayWrite && item('Edit', editPath(secret), first)}
        {item('History', historyPath(secret), mayWrite ? undefined : first)}
        {item('Copy to…', copyPath(secret))}
        <DuplicateItem secret={secret} />
        <DropdownItem aria-label={label} onClick={toggleStar}>
          {isStarred ? 'Unstar' : 'Star'}
        </DropdownItem>
        {allows(level, 'manage') && (
          <DropdownItem isDanger onClick={() => onDelete(secret)}>
            Delete
          </DropdownItem>
        )}
      </DropdownList>
      {keys.length > 0 && (
        <DropdownGroup label="Copy a value">
          <DropdownList aria-label="Copy a value">
            {keys.slice(0, MOST_KEYS).map((key) => (
              <DropdownItem key={key} onClick={() => void copyKey(key)}>
                {key}
              </DropdownItem>
            ))}
          </DropdownList>
        </DropdownGroup>
      )}
    </>
  );
}

/** Reads one value, which is audited like any other read, and copies it without showing it. */
function useCopyKey({ namespace, name }: SecretRef): (key: string) => Promise<void> {
  const api = useApi();
  const notify = useNotify();
  return async (key) => {
    const warn = (text: string) => notify(text, { variant: 'warning' });
    try {
      const value = textOf((await api.readKey({ namespace, name }, key)).bytes);
      if (value !== undefined) await copyText(value);
      if (value === undefined) warn(`${key} was not copied: it is binary.`);
      else notify(`${key} is copied.`);
    } catch {
      // The browser refuses, or the value cannot be read: its own page says why.
      warn(`Couldn't copy ${key}. Open the Secret to see why.`);
    }
  };
}
