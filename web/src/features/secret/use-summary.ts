import { useSecretList, useVersions } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';

/** The facts of a Secret without its values, from the list of its namespace. */
export function useSummary({ namespace, name }: SecretRef) {
  const list = useSecretList(namespace);
  const summary: SecretSummary | undefined = list.data?.secrets.find((one) => one.name === name);
  // A list has only what one may see; the Secret's own routes say why it is missing there.
  const isMissing = list.data !== undefined && summary === undefined;
  const reason = useVersions({ namespace, name }, isMissing);
  return {
    data: summary,
    error: list.error ?? (isMissing ? reason.error : null),
    isFetching: list.isFetching,
    refetch: () => Promise.all([list.refetch(), ...(isMissing ? [reason.refetch()] : [])]),
  };
}
