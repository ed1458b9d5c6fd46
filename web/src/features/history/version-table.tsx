import { Button, Label } from '@patternfly/react-core';
import type { SecretSummary, VersionList, VersionSummary } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';
import { HISTORY_WORDS } from '../../words/history.ts';
import { VersionChanges } from './version-changes.tsx';

export interface VersionActions {
  readonly onView: (version: number) => void;
  readonly onCompare: (version: number) => void;
  readonly onRestore: (version: number) => void;
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
    <table className="plain stacked" aria-label={HISTORY_WORDS.table}>
      <thead>
        <tr>
          <th scope="col">{HISTORY_WORDS.version}</th>
          <th scope="col">{HISTORY_WORDS.by}</th>
          <th scope="col">{HISTORY_WORDS.made}</th>
          <th scope="col">{HISTORY_WORDS.changes}</th>
          <th scope="col">
            <span className="pf-v6-screen-reader">{HISTORY_WORDS.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <LiveRow list={list} live={live} />
        {list.versions.map((version) => (
          <ArchivedRow key={version.version} archived={version} actions={actions} />
        ))}
      </tbody>
    </table>
  );
}

const UNKNOWN = <span className="absent">{HISTORY_WORDS.unknown}</span>;

function LiveRow({ list: { version, versions, changes }, live }: Pick<VersionTableProps, 'live' | 'list'>) {
  return (
    <tr>
      <th scope="row">
        {version}{' '}
        <Label isCompact color="green">
          {HISTORY_WORDS.live}
        </Label>
      </th>
      <td data-label={HISTORY_WORDS.by}>{live?.lastModifiedBy ?? UNKNOWN}</td>
      <td data-label={HISTORY_WORDS.made}>
        {live?.lastModifiedAt === undefined ? UNKNOWN : <When time={live.lastModifiedAt} relative />}
      </td>
      <td data-label={HISTORY_WORDS.changes}>
        {versions.length > 0 && <VersionChanges changes={changes} />}
      </td>
      <td />
    </tr>
  );
}

interface ArchivedRowProps {
  readonly archived: VersionSummary;
  readonly actions: VersionActions;
}

function ArchivedRow({ archived, actions }: ArchivedRowProps) {
  const { version, lastModifiedBy, lastModifiedAt, createdAt, changes } = archived;
  return (
    <tr>
      <th scope="row">{version}</th>
      <td data-label={HISTORY_WORDS.by}>{lastModifiedBy ?? UNKNOWN}</td>
      <td data-label={HISTORY_WORDS.made}>
        {lastModifiedAt === undefined ? (
          <span title={HISTORY_WORDS.archivedHint}>
            {HISTORY_WORDS.archived} <When time={createdAt} relative />
          </span>
        ) : (
          <When time={lastModifiedAt} relative />
        )}
      </td>
      <td data-label={HISTORY_WORDS.changes}>
        <VersionChanges changes={changes} />
      </td>
      <td>
        <div className="row-actions">
          <RowButton
            text={HISTORY_WORDS.view}
            label={HISTORY_WORDS.viewOf(HISTORY_WORDS.named(version))}
            onClick={() => actions.onView(version)}
          />
          <RowButton
            text={HISTORY_WORDS.compare}
            label={HISTORY_WORDS.compareOf(HISTORY_WORDS.named(version))}
            onClick={() => actions.onCompare(version)}
          />
          <RowButton
            text={HISTORY_WORDS.restore}
            label={HISTORY_WORDS.restoreOf(version)}
            onClick={() => actions.onRestore(version)}
          />
        </div>
      </td>
    </tr>
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
