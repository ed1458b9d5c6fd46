import { Button, Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import AngleDownIcon from '@patternfly/react-icons/dist/esm/icons/angle-down-icon';
import AngleRightIcon from '@patternfly/react-icons/dist/esm/icons/angle-right-icon';
import { SmallTable } from '../../ui/small-table.tsx';
import { ByCell, ChangedKeys, RowsByDay, UNKNOWN } from '../../ui/version-cells.tsx';
import { When } from '../../ui/when.tsx';
import { versionsOf, type MadeVersion, type useHistoryAddress, type State } from './states.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import type { SecretRef, SecretSummary, VersionList, VersionSummary } from '../../api/secrets-api.ts';
import { Select } from '../../ui/select.tsx';
import { readsOf } from '../../api/revision-reads.ts';
import { ValuesPanel } from '../detail/values-panel.tsx';
import { bringPanelIntoSight, Compare, nameOf } from './compare.tsx';

export interface VersionTableProps {
  readonly secret: SecretRef;
  /** Undefined while it is not known, or when it is of another version than the list. */
  readonly live: SecretSummary | undefined;
  readonly list: VersionList;
  /** When the list was loaded. After that the values may have changed, so a new time reads them again. */
  readonly loadedAt: number;
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
      widths={['7rem', '28%', '9rem']}
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

const COLUMNS = ['Version', 'By', 'Made', 'Changes'];
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
      <Td dataLabel="Changes">
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

interface VersionPanelProps extends VersionTableProps {
  readonly state: State;
}

/** What a version changed against the one before it, or how it differs from any other; of the oldest, all its keys. */
function VersionPanel({ secret, live, list, loadedAt, state, address }: VersionPanelProps) {
  const states = statesOf(list);
  const before = states[states.indexOf(state) + 1];
  const other = address.other !== undefined && states.includes(address.other) ? address.other : before;
  const archived = list.versions.find(({ version }) => version === state);
  const [showsKeys, setShowsKeys] = useState(false);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    bringPanelIntoSight(place.current);
  }, []);
  const showsValues = archived !== undefined && (showsKeys || other === undefined);
  const isNewer = other !== undefined && states.indexOf(other) < states.indexOf(state);
  return (
    <section
      ref={place}
      tabIndex={-1}
      className="version-panel"
      aria-label={
        showsValues || other === undefined
          ? nameOf(state)
          : `${nameOf(state)}, compared with ${nameOf(other)}`
      }
    >
      <div className="filters">
        <Select<string>
          label="Compare with"
          value={showsValues || other === undefined ? '' : String(other)}
          placeholder="Compare with…"
          options={states.filter((one) => one !== state).map((one) => optionOf(one, list))}
          onChange={(chosen) => {
            setShowsKeys(false);
            address.compare(state, chosen === 'live' ? chosen : Number(chosen));
          }}
        />
        {archived !== undefined && !showsValues && (
          <Button variant="link" isInline onClick={() => setShowsKeys(true)}>
            View all keys
          </Button>
        )}
      </div>
      {showsValues ? (
        <ArchivedValues key={archived.resourceVersion} secret={secret} live={live} archived={archived} />
      ) : (
        other !== undefined && (
          <Compare
            key={`${other} ${loadedAt}`}
            secret={secret}
            before={isNewer ? state : other}
            after={isNewer ? other : state}
          />
        )
      )}
    </section>
  );
}

function optionOf(state: State, list: VersionList) {
  const name = state === 'live' ? `live (version ${list.version})` : `version ${state}`;
  return [String(state), `Compared with ${name}`] as const;
}

/** All that there are, the newest first. */
export function statesOf(list: VersionList): readonly State[] {
  return ['live', ...list.versions.map(({ version }) => version)];
}

interface ArchivedValuesProps extends Pick<VersionPanelProps, 'secret' | 'live'> {
  readonly archived: VersionSummary;
}

/** As a Secret shows itself. A number may be given to another state by now, whose values are never shown as those of this one. */
function ArchivedValues({ secret, live, archived }: ArchivedValuesProps) {
  const { namespace, name } = secret;
  const { version, resourceVersion } = archived;
  const api = useApi();
  const reads = useMemo(
    () => readsOf(api, { namespace, name }, { version, resourceVersion }),
    [api, namespace, name, version, resourceVersion],
  );
  return <ValuesPanel secret={{ ...archived, ...secret, immutable: live?.immutable ?? false, ...reads }} />;
}
