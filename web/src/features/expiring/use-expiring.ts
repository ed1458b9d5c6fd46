import { useAllCertificates, useCertificates, type Certificates } from '../../api/certificates.ts';
import { ApiError } from '../../api/http-client.ts';

/** By one search if that is enough, otherwise by the lists of the namespaces. Until then, what the search found. */
export function useExpiring() {
  const found = useCertificates({ enabled: true, staleTime: 0 });
  const cannotSearch = found.error instanceof ApiError && found.error.status === 503;
  const isShort = found.data?.hasMore === true || cannotSearch;
  const all = useAllCertificates(isShort);
  const data: Certificates | undefined = isShort ? (all.data ?? found.data) : found.data;
  return {
    data,
    error: isShort ? all.error : found.error,
    /** What is there is not all yet. */
    isReading: isShort && all.isFetching,
    isFetching: found.isFetching || (isShort && all.isFetching),
    refetch: () => Promise.all([found.refetch(), ...(isShort ? [all.refetch()] : [])]),
  };
}
