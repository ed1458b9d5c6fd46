import { useConsumers, useHasConsumers } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';

/** More are named in the tab of the Secret. */
const NAMED = 3;

/** Which workloads a deletion would hit, where this deployment shows them. */
export function UsedBy({ secret }: { readonly secret: SecretRef }) {
  const { data, error } = useConsumers(secret, useHasConsumers());
  const names = (data ?? []).map(({ kind, name }) => `${kind} ${name}`);
  const more = names.length - NAMED;
  const named = `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return (
    <p role="status">
      {names.length > 0 && (
        <strong>
          {names.length === 1 ? '1 workload uses it' : `${names.length} workloads use it`}: {named}.
        </strong>
      )}
      {error !== null && "Couldn't find out which workloads use it."}
    </p>
  );
}
