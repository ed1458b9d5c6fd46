import type { Settings } from '../../config/settings.ts';
import {
  createProviderFetch,
  discoveryAddress,
  readPublished,
  type Fetch,
  type ProviderRequest,
} from '../login/provider-requests.ts';
import type { DiscoveryDocument } from '../login/provider-rules.ts';
import { translateFailure } from '../login/translate-failure.ts';
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
  const request = createProviderFetch({ fetch, allowHttp: oidc.allowHttp });
  const sentAtMs = now();
  const discovered = await readDocument('discovery', discoveryAddress(oidc.issuer), request);
  if ('problem' in discovered) return [...local, discovered.problem];
  const { document, date } = discovered;
  return [
    ...local,
    ok('discovery', 'the provider answers (HTTP 200)'),
    clock(date, sentAtMs, now()),
    ...examineDocument(document, oidc),
    await probeSigningKeys(document, request),
    ...(await probeClient({ document, oidc, request })),
  ];
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
    ? ok('signing keys', `${count} published (HTTP 200)`)
    : fix('signing keys', 'The provider publishes no keys, so that no ID token can be checked.');
}

/** A JSON object that the provider publishes, or the problem that prevents reading it. */
async function readDocument(step: string, address: string, request: ProviderRequest) {
  try {
    return await readPublished(address, request);
  } catch (error) {
    const { code, details } = translateFailure(error);
    if (details.status !== undefined) {
      return { problem: fix(step, `(HTTP ${details.status}) ${hintFor(details.status)}`) };
    }
    if (code !== 'invalid_response') return { problem: unreachable(step, error) };
    return { problem: fix(step, '(HTTP 200, invalid_response) The provider answered no JSON object.') };
  }
}

/** A provider that is down says nothing about the settings. */
function hintFor(status: number): string {
  if (status >= 500 || status === 429) return 'The provider failed or is overloaded: see its log.';
  if (status >= 300 && status < 400) return 'Redirects are not followed. Check that OIDC_ISSUER is exact.';
  return 'Nothing is published there. Check that OIDC_ISSUER is exact.';
}
