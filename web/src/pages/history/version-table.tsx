import { Button, Label } from '@patternfly/react-core';
import type { SecretDetail, VersionSummary } from '../../api/secrets-api.ts';
import { When } from '../../components/when.tsx';

export interface VersionTableProps {
  readonly live: SecretDetail;
  readonly versions: readonly VersionSummary[];
  readonly onRestore: (version: number) => void;
}

/** All versions, the live one first. */
export function VersionTable({ live, versions, onRestore }: VersionTableProps) {
  return (
    <table className="plain stacked" aria-label="Versions">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Made by</th>
          <th scope="col">Archived</th>
          <th scope="col">Keys</th>
          <th scope="col">
            <span className="pf-v6-screen-reader">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            {live.version}{' '}
            <Label isCompact color="green">
              live
            </Label>
          </th>
          <td data-label="Made by">{live.lastModifiedBy ?? <span className="absent">unknown</span>}</td>
          <td data-label="Archived">
            <span className="absent">not yet</span>
          </td>
          <td data-label="Keys">
            <Keys keys={live.keys} />
          </td>
          <td />
        </tr>
        {versions.map(({ version, lastModifiedBy, createdAt, keys }) => (
          <tr key={version}>
            <th scope="row">{version}</th>
            <td data-label="Made by">{lastModifiedBy ?? <span className="absent">unknown</span>}</td>
            <td data-label="Archived">
              <When time={createdAt} />
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
        ))}
      </tbody>
    </table>
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
