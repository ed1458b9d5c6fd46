import { Button, Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import AngleDownIcon from '@patternfly/react-icons/dist/esm/icons/angle-down-icon';
import AngleRightIcon from '@patternfly/react-icons/dist/esm/icons/angle-right-icon';
import { SmallTable } from '../../ui/small-table.tsx';
import { ByCell, ChangedKeys, RowsByDay, UNKNOWN } from '../../ui/version-cells.tsx';
import { When } from '../../ui/when.tsx';
import { versionsOf, type MadeVersion } from './states.ts';
import type { useHistoryAddress } from './use-history-address.ts';
import { VersionPanel, type VersionPanelProps } from './version-panel.tsx';

export interface VersionTableProps extends Pick<VersionPanelProps, 'secret' | 'live' | 'list' | 'loadedAt'> {
  readonly address: ReturnType<typeof useHistoryAddress>;
  /** Left out for those who may not. */
  readonly onRestore: ((version: number) => void) | undefined;
}

/** All versions, the live one first: who made each, when, and what it changed. A row opens in place. */
export function VersionTable(props: VersionTableProps) {
  const { live, list, address, onRestore } = props;
  return (
    <SmallTable
      label="Versions"
      columns={COLUMNS}
      actions="Actions"
      widths={['8rem', '26%', '9rem']}
      className="versions"
    >
      <RowsByDay rows={versionsOf(list, live)} timeOf={timeOf} keyOf={({ state }) => state} columns={WIDTH}>
        {(row) => {
          const isOpen = row.state === address.opened && list.versions.length > 0;
          return (
            <>
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
            </>
          );
        }}
      </RowsByDay>
    </SmallTable>
  );
}

const COLUMNS = ['Version', 'By', 'Made', 'What changed'];
/** With the actions. */
const WIDTH = COLUMNS.length + 1;

const timeOf = ({ lastModifiedAt, createdAt }: MadeVersion) => lastModifiedAt ?? createdAt;

interface VersionRowProps extends Pick<VersionTableProps, 'onRestore'> {
  readonly row: MadeVersion;
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
      <ByCell email={lastModifiedBy} />
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
        {hasVersions && <ChangedKeys changes={changes} otherwise="the oldest version here" />}
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
