import { isLoopback, namesDiscoveryDocument } from '../../config/addresses.ts';
import type { OidcSettings } from '../../config/settings.ts';
import { printable } from '../../contract/printable.ts';

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

/** What is wrong with OIDC_ISSUER before any request to the provider. */
export function issuerProblem({ issuer, allowHttp }: OidcSettings) {
  if (!isSecureAddress(issuer, allowHttp)) return 'insecure_issuer';
  // The library would read such an address as it is, without comparing the issuer.
  return namesDiscoveryDocument(issuer) ? 'issuer_is_discovery_url' : undefined;
}

const REQUIRED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** What is wrong with the discovery document, with advice for the doctor. A login fails with the first. */
export function documentProblems(document: DiscoveryDocument, { issuer, allowHttp }: OidcSettings) {
  const exact = `OIDC_ISSUER must equal the discovery document's issuer to the letter${quoted(document['issuer'])}.`;
  const missing = REQUIRED_ENDPOINTS.filter((name) => typeof document[name] !== 'string');
  const insecure = insecureEndpoints(document, allowHttp);
  const rules = [
    // The library compares parsed URLs, which ignores a missing slash, and makes exceptions for Entra ID.
    ['issuer_mismatch', document['issuer'] !== issuer, exact],
    ['missing_endpoint', missing.length > 0, `The provider announces no ${missing.join(', no ')}.`],
    ['insecure_endpoint', insecure.length > 0, `Must be offered over https: ${insecure.join(', ')}.`],
  ] as const;
  return rules.filter(([, isBroken]) => isBroken).map(([code, , advice]) => ({ code, advice }));
}

/** Quotes the issuer only if it can be nothing but an address. */
function quoted(issuer: unknown): string {
  if (typeof issuer !== 'string' || !/^https?:\/\/[\w.:/~%[\]-]{1,300}$/.test(issuer)) return '';
  return `, which is ${issuer}`;
}

const MAX_NAME_CHARACTERS = 80;

function insecureEndpoints(document: DiscoveryDocument, allowHttp: boolean): readonly string[] {
  return Object.entries(document)
    .filter(([name, address]) => /_endpoint$|^jwks_uri$/.test(name) && address !== null)
    .filter(([, address]) => typeof address !== 'string' || !isSecureAddress(address, allowHttp))
    .map(([name]) => printable(name, MAX_NAME_CHARACTERS));
}
