import type { OidcSettings, Settings } from '../../config/settings.ts';
import {
  createProviderFetch,
  MAX_RESPONSE_BYTES,
  REQUEST_TIMEOUT_MS,
  type Fetch,
  type ProviderRequest,
} from '../login/provider-requests.ts';
import type { DiscoveryDocument } from '../login/provider-rules.ts';
import { probeClient } from './client-probe.ts';
import { fix, note, ok, unreachable, type CheckResult } from './check-result.ts';
import { examineDocument, examineSettings } from './checks.ts';

export interface Examination {
  readonly settings: Settings;
  readonly fetch: Fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** ID tokens are checked with this tolerance. */
const TOLERATED_SKEW_SECONDS = 30;
/** Up to this skew most logins still work, because ID tokens are valid for longer. */
const MAX_SKEW_SECONDS = 300;

/**
 * Checks a deployment's sign-in in the order of a login: the settings, then the provider. Signs no one in. Never
 * rejects because of the provider.
 */
export async function examineSignIn({ settings, fetch, now }: Examination): Promise<readonly CheckResult[]> {
  const local = examineSettings(settings);
  const { oidc } = settings.auth;
  const reachable = local.every(({ step, verdict }) => step !== 'issuer address' || verdict === 'ok');
  if (oidc === undefined || !reachable) return local;
  const limits = { timeoutMs: REQUEST_TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES };
  const request = createProviderFetch({ fetch, allowHttp: oidc.allowHttp, ...limits });
  const sentAtMs = now();
  const discovered = await readDocument('discovery', discoveryAddress(oidc), request);
  if ('problem' in discovered) return [...local, discovered.problem];
  const { document, status, date } = discovered;
  return [
    ...local,
    ok('discovery', `the provider answers (HTTP ${status})`),
    clock(date, sentAtMs, now()),
    ...examineDocument(document, oidc),
    await probeSigningKeys(document, request),
    ...(await probeClient({ document, oidc, request })),
  ];
}

function discoveryAddress({ issuer }: OidcSettings): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** The Date header has whole seconds, and the response took some time. Both are allowed for. */
function clock(date: string | null, sentAtMs: number, answeredMs: number): CheckResult {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return note('clock', 'not compared: the provider sends no Date');
  const ahead = (theirs - answeredMs) / 1_000;
  const behind = (sentAtMs - theirs - 1_000) / 1_000;
  const skew = Math.round(Math.max(ahead, behind, 0));
  if (skew <= TOLERATED_SKEW_SECONDS) {
    return ok('clock', `within ${TOLERATED_SKEW_SECONDS} seconds of the provider's`);
  }
  const text = `${skew} seconds apart from the provider's. Synchronise the clocks.`;
  return skew <= MAX_SKEW_SECONDS ? note('clock', text) : fix('clock', text);
}

async function probeSigningKeys(document: DiscoveryDocument, request: ProviderRequest): Promise<CheckResult> {
  const address = document['jwks_uri'];
  if (typeof address !== 'string') return fix('signing keys', 'The provider announces no jwks_uri.');
  const read = await readDocument('signing keys', address, request);
  if ('problem' in read) return read.problem;
  const { keys } = read.document;
  const count = Array.isArray(keys) ? keys.length : 0;
  return count > 0
    ? ok('signing keys', `${count} published (HTTP ${read.status})`)
    : fix('signing keys', 'The provider publishes no keys, so that no ID token can be checked.');
}

/** A JSON object that the provider publishes, or the problem that prevents reading it. */
type ReadDocument =
  | { readonly document: DiscoveryDocument; readonly status: number; readonly date: string | null }
  | { readonly problem: CheckResult };

/** Reads a document that the provider publishes. */
async function readDocument(step: string, address: string, request: ProviderRequest): Promise<ReadDocument> {
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
