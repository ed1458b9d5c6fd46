import { Label, LabelGroup } from '@patternfly/react-core';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';

/** Everything about a Secret but its values. */
export function SecretFacts({ secret }: { readonly secret: SecretDetail }) {
  return (
    <dl className="facts wide">
      <dt>Description</dt>
      <dd>{secret.description === '' ? <span className="absent">none</span> : secret.description}</dd>
      <dt>Type</dt>
      <dd>{secret.type}</dd>
      <dt>Version</dt>
      <dd>{secret.version}</dd>
      <dt>Created</dt>
      <dd>
        <When time={secret.creationTimestamp} />
      </dd>
      <dt>Last change</dt>
      <dd>
        {secret.lastModifiedAt === undefined ? (
          <span className="absent">none through this service</span>
        ) : (
          <>
            <When time={secret.lastModifiedAt} />
            {secret.lastModifiedBy === undefined ? '' : ` by ${secret.lastModifiedBy}`}
          </>
        )}
      </dd>
      <dt>Allowed groups</dt>
      <dd>
        <Principals names={secret.allowedGroups} label="Allowed groups" />
      </dd>
      <dt>Allowed users</dt>
      <dd>
        <Principals names={secret.allowedUsers} label="Allowed users" />
      </dd>
      {secret.allowedGroups.length + secret.allowedUsers.length === 0 && (
        <>
          <dt>Access</dt>
          <dd>Everyone with access to the namespace.</dd>
        </>
      )}
    </dl>
  );
}

function Principals({ names, label }: { readonly names: readonly string[]; readonly label: string }) {
  if (names.length === 0) return <span className="absent">none</span>;
  return (
    <LabelGroup numLabels={20} aria-label={label}>
      {names.map((name, index) => (
        <Label key={`${index} ${name}`} isCompact>
          {name}
        </Label>
      ))}
    </LabelGroup>
  );
}
