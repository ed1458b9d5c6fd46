import { Button, Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import AngleDownIcon from '@patternfly/react-icons/dist/esm/icons/angle-down-icon';
import AngleRightIcon from '@patternfly/react-icons/dist/esm/icons/angle-right-icon';
import { Fragment } from 'react';
import type { KeyChanges } from '../../api/schema.ts';
import { SmallTable } from '../../ui/small-table.tsx';
import { useNow } from '../../ui/use-now.ts';
import { When } from '../../ui/when.tsx';
import { formatDay } from '../../values/format.ts';
import type { State, useHistoryAddress } from './use-history-address.ts';
import { VersionPanel, type VersionPanelProps } from './version-panel.tsx';

export interface VersionTableProps extends Pick<VersionPanelProps, 'secret' | 'live' | 'list' | 'loadedAt'> {
  readonly address: ReturnType<typeof useHistoryAddress>;
  /** Left out for those who may not. */
  readonly onRestore: ((version: number) => void) | undefined;
}

/** All versions, the live one first: who made each, when, and what it changed. A row opens in place. */
export function VersionTable(props: VersionTableProps) {
  const { live, list, address, onRestore } = props;
  const now = useNow();
  const rows: readonly Row[] = [
    { ...list, lastModifiedBy: live?.lastModifiedBy, lastModifiedAt: live?.lastModifiedAt, state: 'live' },
    ...list.versions.map((one) => ({ ...one, state: one.version })),
  ];
  const days = rows.map(dayOf).map((day) => day && formatDay(new Date(day), now));
  return (
    <SmallTable
      label="Versions"
      columns={COLUMNS}
      actions="Actions"
      widths={['8rem', '26%', '9rem']}
      className="versions"
    >
      {rows.map((row, index) => {
        const isOpen = row.state === address.opened && list.versions.length > 0;
        return (
          <Fragment key={row.state}>
            {days[index] !== undefined && days[index] !== days[index - 1] && (
              <Tr>
                <Th scope="rowgroup" colSpan={WIDTH} className="day">
                  {days[index]}
                </Th>
              </Tr>
            )}
            <VersionRow
              row={row}
              hasVersions={list.versions.length > 0}
              isOpen={isOpen}
              onToggle={() => (isOpen ? address.close() : address.open(row.state))}
              onRestore={onRestore}
            />
            {isOpen && (
              <Tr>
                <Td colSpan={WIDTH} noPadding>
                  <VersionPanel {...props} state={row.state} />
                </Td>
              </Tr>
            )}
          </Fragment>
        );
      })}
    </SmallTable>
  );
}

const COLUMNS = ['Version', 'By', 'Made', 'What changed'];
/** With the actions. */
const WIDTH = COLUMNS.length + 1;
const UNKNOWN = <span className="absent">unknown</span>;

interface Row {
  readonly state: State;
  readonly version: number;
  readonly lastModifiedBy?: string | undefined;
  readonly lastModifiedAt?: string | undefined;
  /** When it was archived. */
  readonly createdAt?: string;
  readonly changes?: KeyChanges;
  readonly changeNote?: string;
}

function dayOf({ lastModifiedAt, createdAt }: Row): string | undefined {
  return lastModifiedAt ?? createdAt;
}

interface VersionRowProps extends Pick<VersionTableProps, 'onRestore'> {
  readonly row: Row;
  readonly hasVersions: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function VersionRow({ row, hasVersions, isOpen, onToggle, onRestore }: VersionRowProps) {
  const { state, version, lastModifiedBy, lastModifiedAt, createdAt, changes, changeNote } = row;
  return (
    <Tr>
      <Th scope="row">
        {hasVersions ? (
          <Button
            variant="link"
            isInline
            icon={isOpen ? <AngleDownIcon /> : <AngleRightIcon />}
            aria-label={`View version ${version}`}
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            {version}
          </Button>
        ) : (
          version
        )}{' '}
        {state === 'live' && (
          <Label isCompact color="green">
            live
          </Label>
        )}
      </Th>
      <Td dataLabel="By">{lastModifiedBy === undefined ? UNKNOWN : <Person email={lastModifiedBy} />}</Td>
      <Td dataLabel="Made">
        {lastModifiedAt !== undefined && <When time={lastModifiedAt} relative />}
        {lastModifiedAt === undefined && createdAt === undefined && UNKNOWN}
        {lastModifiedAt === undefined && createdAt !== undefined && (
          <span title="The time when this version was made is not known: it was archived then.">
            archived <When time={createdAt} relative />
          </span>
        )}
      </Td>
      <Td dataLabel="What changed">
        {hasVersions && <VersionChanges changes={changes} />}
        {/* What whoever made it wrote about it. */}
        {changeNote !== undefined && <div className="value-facts">{changeNote}</div>}
      </Td>
      <Td modifier="nowrap">
        {state !== 'live' && onRestore !== undefined && (
          <Button
            variant="link"
            isInline
            aria-label={`Restore version ${version}`}
            onClick={() => onRestore(state)}
          >
            Restore
          </Button>
        )}
      </Td>
    </Tr>
  );
}

function Person({ email }: { readonly email: string }) {
  return (
    <span className="by">
      <span aria-hidden className="initial">
        {email.slice(0, 1).toUpperCase()}
      </span>
      {email}
    </span>
  );
}

/** More keys are in the row that opens. */
const SHOWN = 6;

/** Which keys a version changed against the one before it. */
function VersionChanges({ changes }: { readonly changes: KeyChanges | undefined }) {
  if (changes === undefined) return <span className="absent">the oldest version here</span>;
  // The sign and the key stay on one line.
  const all = [
    ...changes.changed.map((key) => `${key} changed`),
    ...changes.added.map((key) => `+\u00a0${key}`),
    ...changes.removed.map((key) => `−\u00a0${key}`),
  ];
  if (all.length === 0) return <span className="absent">no value changed</span>;
  const more = all.length - SHOWN;
  return (
    <span title={all.join(', ')}>
      {all.slice(0, SHOWN).join(', ')}
      {more > 0 ? ` and ${more} more` : ''}
    </span>
  );
}
