import { ApiError } from './http-client.ts';
import { useNamespaces, useRead } from './queries.ts';
import { queryKeys } from './query-keys.ts';
import type { SecretSummary, SecretsApi } from './secrets-api.ts';

/** Every Secret whose certificate the service reads has it under this key. */
const CERTIFICATE_KEY = 'tls.crt';
const MOST_FOUND = 200;
/** Namespaces that are read one by one, where a search does not suffice. */
const MOST_NAMESPACES = 200;
const AT_ONCE = 2;
/** Pages of 500 that are read of one namespace. */
const MOST_PAGES = 20;

/** The Secrets with a certificate that one may see, and what is missing among them. */
export interface Certificates {
  readonly secrets: readonly SecretSummary[];
  /** Namespaces that could not be read. */
  readonly missing: readonly string[];
  /** Whether there may be more of them elsewhere. */
  readonly hasMore: boolean;
}

/** By one search over all namespaces. @param options.staleTime how old it may be, in milliseconds */
export function useCertificates(options: { readonly enabled: boolean; readonly staleTime: number }) {
  const read = async (api: SecretsApi, signal: AbortSignal): Promise<Certificates> => {
    const found = await api.search({ q: CERTIFICATE_KEY, limit: MOST_FOUND }, signal);
    return { secrets: found.results.filter(hasCertificate), missing: found.skipped, hasMore: found.more };
  };
  return useRead(queryKeys.certificates(), read, options);
}

/** By the lists of the namespaces, one after the other: for more than a search gives, or where there is none. */
export function useAllCertificates(enabled: boolean) {
  const { data: namespaces } = useNamespaces();
  const names = (namespaces ?? []).map(({ name }) => name);
  return useRead(queryKeys.allCertificates(), (api, signal) => readCertificates(api, names, signal), {
    enabled: enabled && namespaces !== undefined,
    staleTime: 0,
  });
}

export async function readCertificates(
  api: Pick<SecretsApi, 'list' | 'page'>,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<Certificates> {
  const secrets: SecretSummary[] = [];
  const missing: string[] = [];
  const waiting = namespaces.slice(0, MOST_NAMESPACES);
  const work = async (): Promise<void> => {
    for (let namespace = waiting.shift(); namespace !== undefined; namespace = waiting.shift()) {
      try {
        secrets.push(...(await certificatesOf(api, namespace, signal)));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 401) throw error;
        // Without access to a namespace, none of its Secrets are missing.
        if (error.status !== 403) missing.push(namespace);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { secrets, missing: missing.sort(), hasMore: namespaces.length > MOST_NAMESPACES };
}

async function certificatesOf(
  api: Pick<SecretsApi, 'list' | 'page'>,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly SecretSummary[]> {
  const found: SecretSummary[] = [];
  let token = '';
  for (let read = 0; read < MOST_PAGES; read++) {
    const query = { q: CERTIFICATE_KEY, sort: 'name', token } as const;
    const page = await api.page(namespace, query, signal).catch(withoutPages);
    if (page === undefined) return (await api.list(namespace, signal)).secrets.filter(hasCertificate);
    found.push(...page.secrets.filter(hasCertificate));
    if (page.continue === undefined) break;
    token = page.continue;
  }
  return found;
}

/** Pages come from memory alone, and that is not up to date, or has changed between two of them. */
function withoutPages(error: unknown): undefined {
  if (error instanceof ApiError && [410, 503].includes(error.status)) return undefined;
  throw error;
}

function hasCertificate({ certificateNotAfter }: SecretSummary): boolean {
  return certificateNotAfter !== undefined;
}
