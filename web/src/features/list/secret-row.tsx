import { Checkbox, Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { memo } from 'react';
import { Link } from 'react-router';
import { hasRules, type AccessRules } from '../../../../src/contract/access-rules.ts';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { entriesOf } from '../../editing/rules.ts';
import { detailPath } from '../../paths.ts';
import { firstOf } from '../../values/format.ts';
import { When } from '../../ui/when.tsx';
import { changedAt } from './list-view.ts';
import { RowMenu } from './row-menu.tsx';
import { TypeLabel } from '../../ui/type-label.tsx';
import { StateLabels } from '../../ui/state-labels.tsx';
import { DueLabel } from '../../ui/due-label.tsx';
import { dueDatesOf } from '../../values/expiry.ts';
import { controllerOf } from '../../values/origin.ts';

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
  const { name, type, keys, description, lastModifiedBy } = secret;
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
        <When time={changedAt(secret)} relative />
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
