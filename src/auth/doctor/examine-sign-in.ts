import type { OidcSettings, Settings } from '../../config/settings.ts';
import { MAX_RESPONSE_BYTES, REQUEST_TIMEOUT_MS } from '../oidc/discovery.ts';
import { LoginFailure } from '../oidc/login-failure.ts';
import { hintOf } from '../oidc/login-outcome.ts';
import { createProviderFetch, type Fetch, type ProviderRequest } from '../oidc/provider-fetch.ts';
import { translateFailure } from '../oidc/translate-failure.ts';
import { examineDocument, type DiscoveryDocument } from './document-checks.ts';
import { fix, note, ok, type Finding } from './finding.ts';
import { examineSettings } from './local-checks.ts';

export interface Examination {
  readonly settings: Settings;
  readonly fetch: Fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How far the clocks may be apart: ID tokens are checked with this tolerance. */
const MAX_SKEW_SECONDS = 30;

/**
 * Checks a deployment's sign-in, step by step, as a login would go: the settings, then the provider.
 * Signs nobody in. Never rejects for anything that the provider does.
 */
export async function examineSignIn({ settings, fetch, now }: Examination): Promise<readonly Finding[]> {
  const local = examineSettings(settings);
  const { oidc } = settings.auth;
  const reachable = local.every(({ step, verdict }) => step !== 'issuer address' || verdict === 'ok');
  if (oidc === undefined || !reachable) return local;
  const policy = { allowHttp: oidc.allowHttp, production: settings.production };
  const request = createProviderFetch({
    fetch,
    policy,
    timeoutMs: REQUEST_TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
  });
  try {
    const asked = now();
    const response = await request(discoveryAddress(oidc), { headers: { accept: 'application/json' } });
    const document = await documentIn(response);
    return [
      ...local,
      ok('discovery', 'the provider answers'),
      clock(response.headers.get('date'), asked, now()),
      ...examineDocument(document, oidc, policy),
      await signingKeys(document, request),
    ];
  } catch (error) {
    return [...local, unreachable('discovery', error)];
  }
}

function discoveryAddress({ issuer }: OidcSettings): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** @throws {LoginFailure} unless the answer is a JSON object */
async function documentIn(response: Response): Promise<DiscoveryDocument> {
  if (response.status !== 200) throw new LoginFailure('unexpected_status');
  const parsed: unknown = await response.json().catch(() => undefined); // the message quotes the body
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new LoginFailure('invalid_response');
  }
  return parsed as DiscoveryDocument;
}

function unreachable(step: string, error: unknown): Finding {
  const failure = translateFailure(error);
  return fix(step, `(${failure.details.systemCode ?? failure.code}) ${hintOf(failure)}`);
}

/** The Date header has whole seconds, and the answer took its time: both count in favour of the clocks. */
function clock(date: string | null, askedMs: number, answeredMs: number): Finding {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return note('clock', 'not compared: the provider sends no Date');
  const ahead = (theirs - answeredMs) / 1_000;
  const behind = (askedMs - theirs - 1_000) / 1_000;
  const skew = Math.round(Math.max(ahead, behind, 0));
  return skew > MAX_SKEW_SECONDS
    ? fix('clock', `${skew} seconds apart from the provider's. Synchronise the clocks.`)
    : ok('clock', `within ${MAX_SKEW_SECONDS} seconds of the provider's`);
}

async function signingKeys(document: DiscoveryDocument, request: ProviderRequest): Promise<Finding> {
  const address = document['jwks_uri'];
  if (typeof address !== 'string') return fix('signing keys', 'The provider announces no jwks_uri.');
  try {
    const { keys } = await documentIn(await request(address, { headers: { accept: 'application/json' } }));
    const count = Array.isArray(keys) ? keys.length : 0;
    return count > 0
      ? ok('signing keys', `${count} published`)
      : fix('signing keys', 'The provider publishes no keys, so that no ID token can be checked.');
  } catch (error) {
    return unreachable('signing keys', error);
  }
}
