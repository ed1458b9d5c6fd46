import type { SecretSummary } from '../../api/secrets-api.ts';
import { StateLabels } from '../../ui/state-labels.tsx';
import { TypeLabel } from '../../ui/type-label.tsx';
import { When } from '../../ui/when.tsx';
import { SECRET_LINE_WORDS, SECRET_WORDS } from '../../words/secret.ts';

/** What a Secret is, in one line: what it is for, its type, its version, and who changed it last. */
export function SecretLine({ secret }: { readonly secret: SecretSummary }) {
  const { description, type, version, creationTimestamp, lastModifiedAt, lastModifiedBy } = secret;
  return (
    <div className="secret-line">
      {description !== '' && <p className="description">{description}</p>}
      <ul className="facts-line" aria-label={SECRET_LINE_WORDS.facts}>
        <li>
          <TypeLabel type={type} />
        </li>
        <li>{SECRET_WORDS.version(version)}</li>
        <li>
          {lastModifiedAt === undefined ? (
            <>
              {SECRET_WORDS.created} <When time={creationTimestamp} relative />
            </>
          ) : (
            <>
              {SECRET_WORDS.changed} <When time={lastModifiedAt} relative />{' '}
              {lastModifiedBy !== undefined && SECRET_WORDS.changedBy(lastModifiedBy)}
            </>
          )}
        </li>
        {!secret.managedByService && <li>{SECRET_LINE_WORDS.notManaged}</li>}
        {(secret.deletionTimestamp !== undefined || secret.immutable) && (
          <li className="labels">
            <StateLabels secret={secret} />
          </li>
        )}
      </ul>
    </div>
  );
}
