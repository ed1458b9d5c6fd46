import { isLoopback, namesDiscoveryDocument } from '../../config/addresses.ts';
import type { OidcSettings } from '../../config/settings.ts';
import { printable } from '../../contract/printable.ts';
import { LOGIN_FAILURES, LoginFailure, type LoginFailureCode } from './login-failure.ts';

/** Which addresses of the provider are allowed. */
export interface AddressPolicy {
  /** OIDC_ALLOW_HTTP: plain http on loopback hosts. */
  readonly allowHttp: boolean;
  /** Production refuses plain http, whatever else is set. */
  readonly production: boolean;
}

/** Whether tokens and codes may be sent to this address. */
export function isSecureAddress(address: string, { allowHttp, production }: AddressPolicy): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const { protocol, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && allowHttp && !production && isLoopback(url);
}

export interface ProviderSettings {
  readonly oidc: OidcSettings;
  readonly policy: AddressPolicy;
}

/** A discovery document, as the provider sent it. */
export type DiscoveryDocument = Readonly<Record<string, unknown>>;

export interface ProviderFacts extends ProviderSettings {
  readonly document: DiscoveryDocument;
}

/** What sign-in requires of the provider. A login fails with the code; the doctor prints the advice. */
export interface ProviderRule<Facts> {
  /** The step of the doctor. */
  readonly id: string;
  readonly holds: (facts: Facts) => boolean;
  readonly code: LoginFailureCode;
  readonly advice: (facts: Facts) => string;
}

/** Before any request to the provider. */
export const ISSUER_RULES: readonly ProviderRule<ProviderSettings>[] = [
  {
    id: 'issuer address',
    holds: ({ oidc, policy }) => isSecureAddress(oidc.issuer, policy),
    code: 'insecure_issuer',
    advice: () => LOGIN_FAILURES.insecure_issuer,
  },
  {
    // The library would read such an address as it is, without comparing the issuer.
    id: 'issuer address',
    holds: ({ oidc }) => !namesDiscoveryDocument(oidc.issuer),
    code: 'issuer_is_discovery_url',
    advice: () => 'OIDC_ISSUER is the issuer identifier: leave /.well-known/… away.',
  },
];

const REQUIRED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** The rules of the discovery document. */
export const DOCUMENT_RULES: readonly ProviderRule<ProviderFacts>[] = [
  {
    // The library compares parsed URLs, which ignores a missing slash, and makes exceptions for Entra ID.
    id: 'issuer',
    holds: ({ oidc, document }) => document['issuer'] === oidc.issuer,
    code: 'issuer_mismatch',
    advice: ({ document }) =>
      `OIDC_ISSUER must equal the discovery document's issuer to the letter${quoted(document['issuer'])}.`,
  },
  {
    id: 'endpoints',
    holds: (facts) => missingEndpoints(facts).length === 0,
    code: 'missing_endpoint',
    advice: (facts) => `The provider announces no ${missingEndpoints(facts).join(', no ')}.`,
  },
  {
    id: 'endpoints',
    holds: (facts) => insecureEndpoints(facts).length === 0,
    code: 'insecure_endpoint',
    advice: (facts) => `The provider must offer these over https: ${insecureEndpoints(facts).join(', ')}.`,
  },
];

/** @throws {LoginFailure} with the code of the first rule that does not hold */
export function requireAll<Facts>(rules: readonly ProviderRule<Facts>[], facts: Facts): void {
  const broken = rules.find((rule) => !rule.holds(facts));
  if (broken !== undefined) throw new LoginFailure(broken.code);
}

/** Quotes the issuer only if it can be nothing but an address. */
function quoted(issuer: unknown): string {
  if (typeof issuer !== 'string' || !/^https?:\/\/[\w.:/~%[\]-]{1,300}$/.test(issuer)) return '';
  return `, which is ${issuer}`;
}

function missingEndpoints({ document }: ProviderFacts): readonly string[] {
  return REQUIRED_ENDPOINTS.filter((name) => typeof document[name] !== 'string');
}

const MAX_NAME_CHARACTERS = 80;

/** Some providers send null for an endpoint that they do not have. */
function insecureEndpoints({ document, policy }: ProviderFacts): readonly string[] {
  return Object.entries(document)
    .filter(([name, address]) => /_endpoint$|^jwks_uri$/.test(name) && address !== null)
    .filter(([, address]) => typeof address !== 'string' || !isSecureAddress(address, policy))
    .map(([name]) => printable(name, MAX_NAME_CHARACTERS));
}
