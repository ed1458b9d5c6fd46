import { useFoundSummary, useSecretList, useVersions } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';

/** The facts of a Secret without its values, from the list of its namespace; of a long one, from a search. */
export function useListedSummary(ref: SecretRef) {
  const list = useSecretList(ref.namespace);
  const listed: SecretSummary | undefined = list.data?.secrets.find((one) => one.name === ref.name);
  const isBeyond = list.data?.continue !== undefined && listed === undefined;
  const found = useFoundSummary(ref, isBeyond);
  const data = listed ?? found.data ?? undefined;
  return {
    data,
    error: list.error ?? (isBeyond ? found.error : null),
    /** A list has only what one may see; the Secret's own routes say why it is missing there. */
    isMissing: list.data !== undefined && data === undefined && (!isBeyond || found.data === null),
    isFetching: list.isFetching || found.isFetching,
    refetch: () => Promise.all([list.refetch(), ...(isBeyond ? [found.refetch()] : [])]),
  };
}

/** The same, with the reason if there are none. */
export function useSummary(ref: SecretRef) {
  const { data, error, isMissing, isFetching, refetch } = useListedSummary(ref);
  const reason = useVersions(ref, isMissing);
  return {
    data,
    error: error ?? (isMissing ? reason.error : null),
    isFetching,
    refetch: () => Promise.all([refetch(), ...(isMissing ? [reason.refetch()] : [])]),
  };
}
