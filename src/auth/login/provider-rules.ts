import { isLoopback, namesDiscoveryDocument } from '../../config/addresses.ts';
import type { OidcSettings } from '../../config/settings.ts';
import { printable } from '../../contract/printable.ts';
import { LOGIN_FAILURES, type LoginFailureCode } from './login-failure.ts';

/** Whether tokens and codes may be sent to this address: https, and with OIDC_ALLOW_HTTP plain http on loopback hosts. */
export function isSecureAddress(address: string, allowHttp: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const { protocol, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && allowHttp && isLoopback(url);
}

/** A discovery document, as the provider sent it. */
export type DiscoveryDocument = Readonly<Record<string, unknown>>;

/** What sign-in requires and the provider does not have. A login fails with the code; the doctor prints the advice. */
export interface ProviderProblem {
  /** The step of the doctor. */
  readonly step: 'issuer address' | 'issuer' | 'endpoints';
  readonly code: LoginFailureCode;
  readonly advice: string;
}

/** What is wrong with OIDC_ISSUER before any request to the provider. */
export function issuerProblem({ issuer, allowHttp }: OidcSettings): ProviderProblem | undefined {
  const step = 'issuer address';
  if (!isSecureAddress(issuer, allowHttp)) {
    return { step, code: 'insecure_issuer', advice: LOGIN_FAILURES.insecure_issuer };
  }
  // The library would read such an address as it is, without comparing the issuer.
  if (!namesDiscoveryDocument(issuer)) return undefined;
  const advice = 'OIDC_ISSUER is the issuer identifier: leave /.well-known/… away.';
  return { step, code: 'issuer_is_discovery_url', advice };
}

const REQUIRED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** What is wrong with the discovery document. A login fails with the first. */
export function documentProblems(
  document: DiscoveryDocument,
  { issuer, allowHttp }: OidcSettings,
): readonly ProviderProblem[] {
  const problems: ProviderProblem[] = [];
  // The library compares parsed URLs, which ignores a missing slash, and makes exceptions for Entra ID.
  if (document['issuer'] !== issuer) {
    const announced = quoted(document['issuer']);
    const advice = `OIDC_ISSUER must equal the discovery document's issuer to the letter${announced}.`;
    problems.push({ step: 'issuer', code: 'issuer_mismatch', advice });
  }
  const missing = REQUIRED_ENDPOINTS.filter((name) => typeof document[name] !== 'string');
  if (missing.length > 0) {
    const advice = `The provider announces no ${missing.join(', no ')}.`;
    problems.push({ step: 'endpoints', code: 'missing_endpoint', advice });
  }
  const insecure = insecureEndpoints(document, allowHttp);
  if (insecure.length > 0) {
    const advice = `The provider must offer these over https: ${insecure.join(', ')}.`;
    problems.push({ step: 'endpoints', code: 'insecure_endpoint', advice });
  }
  return problems;
}

/** Quotes the issuer only if it can be nothing but an address. */
function quoted(issuer: unknown): string {
  if (typeof issuer !== 'string' || !/^https?:\/\/[\w.:/~%[\]-]{1,300}$/.test(issuer)) return '';
  return `, which is ${issuer}`;
}

const MAX_NAME_CHARACTERS = 80;

/** Some providers send null for an endpoint that they do not have. */
function insecureEndpoints(document: DiscoveryDocument, allowHttp: boolean): readonly string[] {
  return Object.entries(document)
    .filter(([name, address]) => /_endpoint$|^jwks_uri$/.test(name) && address !== null)
    .filter(([, address]) => typeof address !== 'string' || !isSecureAddress(address, allowHttp))
    .map(([name]) => printable(name, MAX_NAME_CHARACTERS));
}
