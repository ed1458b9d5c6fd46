import { Button, Label } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import type { SecretSummary, VersionList, VersionSummary } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';
import { SmallTable } from '../../ui/small-table.tsx';

export interface VersionActions {
  readonly onView: (version: number) => void;
  readonly onCompare: (version: number) => void;
  /** Left out for those who may not. */
  readonly onRestore?: (version: number) => void;
}

export interface VersionTableProps {
  /** Undefined while it is not known, or when it is of another version than the list. */
  readonly live: SecretSummary | undefined;
  readonly list: VersionList;
  readonly actions: VersionActions;
}

/** All versions, the live one first: who made each, when, and what it changed. */
export function VersionTable({ live, list, actions }: VersionTableProps) {
  return (
    <SmallTable
      label="Versions"
      columns={['Version', 'By', 'Made', 'What changed']}
      actions="Actions"
      widths={['6rem', '22%', '9rem']}
    >
      <LiveRow list={list} live={live} />
      {list.versions.map((version) => (
        <ArchivedRow key={version.version} archived={version} actions={actions} />
      ))}
    </SmallTable>
  );
}

const UNKNOWN = <span className="absent">unknown</span>;

function LiveRow({ list, live }: Pick<VersionTableProps, 'live' | 'list'>) {
  const { version, versions, changes, changeNote } = list;
  return (
    <Tr>
      <Th scope="row">
        {version}{' '}
        <Label isCompact color="green">
          live
        </Label>
      </Th>
      <Td dataLabel="By">{live?.lastModifiedBy ?? UNKNOWN}</Td>
      <Td dataLabel="Made">
        {live?.lastModifiedAt === undefined ? UNKNOWN : <When time={live.lastModifiedAt} relative />}
      </Td>
      <Td dataLabel="What changed">
        {versions.length > 0 && <VersionChanges changes={changes} />}
        <ChangeNote text={changeNote} />
      </Td>
      <Td />
    </Tr>
  );
}

interface ArchivedRowProps {
  readonly archived: VersionSummary;
  readonly actions: VersionActions;
}

function ArchivedRow({ archived, actions }: ArchivedRowProps) {
  const { version, lastModifiedBy, lastModifiedAt, createdAt, changes, changeNote } = archived;
  return (
    <Tr>
      <Th scope="row">{version}</Th>
      <Td dataLabel="By">{lastModifiedBy ?? UNKNOWN}</Td>
      <Td dataLabel="Made">
        {lastModifiedAt === undefined ? (
          <span title="The time when this version was made is not known: it was archived then.">
            archived <When time={createdAt} relative />
          </span>
        ) : (
          <When time={lastModifiedAt} relative />
        )}
      </Td>
      <Td dataLabel="What changed">
        <VersionChanges changes={changes} />
        <ChangeNote text={changeNote} />
      </Td>
      <Td modifier="fitContent">
        <div className="row-actions">
          <RowButton text="View" label={`View version ${version}`} onClick={() => actions.onView(version)} />
          <RowButton
            text="Compare"
            label={`Compare version ${version}`}
            onClick={() => actions.onCompare(version)}
          />
          {actions.onRestore !== undefined && (
            <RowButton
              text="Restore"
              label={`Restore version ${version}`}
              onClick={() => actions.onRestore?.(version)}
            />
          )}
        </div>
      </Td>
    </Tr>
  );
}

interface RowButtonProps {
  readonly text: string;
  readonly label: string;
  readonly onClick: () => void;
}

function RowButton({ text, label, onClick }: RowButtonProps) {
  return (
    <Button variant="secondary" size="sm" aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}

/** What whoever made a version wrote about it. */
function ChangeNote({ text }: { readonly text: string | undefined }) {
  return text !== undefined && <div className="value-facts">{text}</div>;
}

/** More keys are a comparison away. */
const SHOWN = 6;

/** Which keys a version changed against the one before it. */
function VersionChanges({ changes }: { readonly changes: VersionSummary['changes'] }) {
  if (changes === undefined) return <span className="absent">the oldest version here</span>;
  // The sign and the key stay on one line.
  const all = [
    ...changes.changed.map((key) => ({ sign: `${key} changed`, words: `${key} changed` })),
    ...changes.added.map((key) => ({ sign: `+\u00a0${key}`, words: `${key} added` })),
    ...changes.removed.map((key) => ({ sign: `−\u00a0${key}`, words: `${key} removed` })),
  ];
  if (all.length === 0) return <span className="absent">no value changed</span>;
  const text = all.slice(0, SHOWN).map(({ sign }) => sign);
  const more = all.length - SHOWN;
  return (
    <span title={all.map(({ words }) => words).join(', ')}>
      {text.join(', ')}
      {more > 0 ? ` and ${more} more` : ''}
    </span>
  );
}
