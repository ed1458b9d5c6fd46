import { Button, Label } from '@patternfly/react-core';
import type { SecretSummary, VersionList, VersionSummary } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';

export interface VersionTableProps {
  /** Undefined while it is not known, or when it is of another version than the list. */
  readonly live: SecretSummary | undefined;
  readonly list: VersionList;
  readonly onRestore: (version: number) => void;
}

/** All versions, the live one first. */
export function VersionTable({ live, list, onRestore }: VersionTableProps) {
  return (
    <>
      <table className="plain stacked" aria-label="Versions">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Made by</th>
            <th scope="col">Made or archived</th>
            <th scope="col">Keys</th>
            <th scope="col">
              <span className="pf-v6-screen-reader">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <LiveRow version={list.version} live={live} />
          {list.versions.map((version) => (
            <ArchivedRow key={version.version} archived={version} onRestore={onRestore} />
          ))}
        </tbody>
      </table>
      {list.versions.length > 0 && (
        <p className="hint">
          A version is archived by the change that takes its place. “Made by” is who made the version, not who
          replaced it.
        </p>
      )}
    </>
  );
}

const UNKNOWN = <span className="absent">unknown</span>;

function LiveRow({ version, live }: Pick<VersionTableProps, 'live'> & Pick<VersionList, 'version'>) {
  return (
    <tr>
      <th scope="row">
        {version}{' '}
        <Label isCompact color="green">
          live
        </Label>
      </th>
      <td data-label="Made by">{live?.lastModifiedBy ?? UNKNOWN}</td>
      <td>
        {live?.lastModifiedAt === undefined ? (
          UNKNOWN
        ) : (
          <LabeledTime what="made" time={live.lastModifiedAt} />
        )}
      </td>
      <td data-label="Keys">{live === undefined ? UNKNOWN : <Keys keys={live.keys} />}</td>
      <td />
    </tr>
  );
}

interface ArchivedRowProps extends Pick<VersionTableProps, 'onRestore'> {
  readonly archived: VersionSummary;
}

function ArchivedRow({ archived, onRestore }: ArchivedRowProps) {
  const { version, lastModifiedBy, createdAt, keys } = archived;
  return (
    <tr>
      <th scope="row">{version}</th>
      <td data-label="Made by">{lastModifiedBy ?? UNKNOWN}</td>
      <td>
        <LabeledTime what="archived" time={createdAt} />
      </td>
      <td data-label="Keys">
        <Keys keys={keys} />
      </td>
      <td>
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Restore version ${version}`}
          onClick={() => onRestore(version)}
        >
          Restore
        </Button>
      </td>
    </tr>
  );
}

/** The two times mean different things, so each says which it is. */
function LabeledTime({ what, time }: { readonly what: 'made' | 'archived'; readonly time: string }) {
  return (
    <>
      {what} <When time={time} />
    </>
  );
}

/** The others are a comparison away. */
const KEYS_SHOWN = 6;

function Keys({ keys }: { readonly keys: readonly string[] }) {
  const more = keys.length - KEYS_SHOWN;
  return (
    <span title={keys.join(', ')}>
      {keys.slice(0, KEYS_SHOWN).join(', ')}
      {more > 0 ? ` and ${more} more` : ''}
    </span>
  );
}
