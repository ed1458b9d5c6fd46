import type { ProviderRequest } from '../login/provider-requests.ts';
import type { DiscoveryDocument } from './document-checks.ts';
import { fix, unreachable, type CheckResult } from './check-result.ts';

/** A JSON object that the provider publishes, or the problem that prevents reading it. */
export type ReadDocument =
  | { readonly document: DiscoveryDocument; readonly status: number; readonly date: string | null }
  | { readonly problem: CheckResult };

/** Reads a document that the provider publishes. */
export async function readDocument(
  step: string,
  address: string,
  request: ProviderRequest,
): Promise<ReadDocument> {
  try {
    const response = await request(address, { headers: { accept: 'application/json' } });
    const { status } = response;
    if (status !== 200) return { problem: fix(step, `(HTTP ${status}) ${hintFor(status)}`) };
    const parsed: unknown = await response.json().catch(() => undefined); // The message quotes the body.
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      return { problem: fix(step, '(HTTP 200, invalid_response) The provider answered no JSON object.') };
    }
    return { document: parsed as DiscoveryDocument, status, date: response.headers.get('date') };
  } catch (error) {
    return { problem: unreachable(step, error) };
  }
}

/** A provider that is down says nothing about the settings. */
function hintFor(status: number): string {
  if (status >= 500 || status === 429) return 'The provider failed or is overloaded: see its log.';
  if (status >= 300 && status < 400) return 'Redirects are not followed. Check that OIDC_ISSUER is exact.';
  return 'Nothing is published there. Check that OIDC_ISSUER is exact.';
}
