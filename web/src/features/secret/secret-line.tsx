import type { SecretSummary } from '../../api/secrets-api.ts';
import { StateLabels } from '../../ui/state-labels.tsx';
import { TypeLabel } from '../../ui/type-label.tsx';
import { When } from '../../ui/when.tsx';

/** What a Secret is, in one line: what it is for, its type, its version, and who changed it last. */
export function SecretLine({ secret }: { readonly secret: SecretSummary }) {
  const { description, type, version, creationTimestamp, lastModifiedAt, lastModifiedBy } = secret;
  return (
    <div className="secret-line">
      {description !== '' && <p className="description">{description}</p>}
      <ul className="facts-line" aria-label="Facts">
        <li>
          <TypeLabel type={type} />
        </li>
        <li>version {version}</li>
        <li>
          {lastModifiedAt === undefined ? (
            <>
              created <When time={creationTimestamp} relative />
            </>
          ) : (
            <>
              changed <When time={lastModifiedAt} relative />{' '}
              {lastModifiedBy !== undefined && `by ${lastModifiedBy}`}
            </>
          )}
        </li>
        {!secret.managedByService && <li>not managed here</li>}
        {(secret.deletionTimestamp !== undefined || secret.immutable) && (
          <li className="labels">
            <StateLabels secret={secret} />
          </li>
        )}
      </ul>
    </div>
  );
}
