import { isLoopback, namesDiscoveryDocument } from './addresses.ts';
import { isQuoted } from './forms.ts';
import type { OidcSettings, Settings } from './settings.ts';
import { VARIABLES } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is well-formed and probably a mistake. The service starts anyway. */
export interface Oddity {
  readonly variable: string;
  /** What is odd, in words that do not quote the value. */
  readonly problem: string;
}

/** Everything about the settings that looks like a mistake. */
export function settingOddities(environment: Environment, settings: Settings): readonly Oddity[] {
  const { auth, http, production, tracing } = settings;
  const problems = [
    ['NODE_ENV', environmentProblem(environment['NODE_ENV'])],
    ['OIDC_CLIENT_ID', credentialProblem(auth.oidc?.clientId)],
    ['OIDC_CLIENT_SECRET', credentialProblem(auth.oidc?.clientSecret)],
    ['OIDC_ISSUER', issuerProblem(auth.oidc?.issuer)],
    ['OIDC_USERNAME_CLAIM', usernameProblem(auth.oidc)],
    ['NEXT_PUBLIC_APP_URL', publicUrlProblem(new URL(http.publicUrl), production)],
    ['TRUST_PROXY', production ? trustProxyProblem(http.trustProxy) : undefined],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', endpointProblem(tracing?.url)],
  ] as const;
  return [
    ...problems.flatMap(([variable, problem]) => (problem === undefined ? [] : [{ variable, problem }])),
    ...comments(environment),
    ...unknownVariables(environment),
  ];
}

const ENVIRONMENTS = ['production', 'development', 'test'];

/**
 * The problem with NODE_ENV, in words that do not quote it; undefined if there is none. Only `production` has a meaning
 * here, so a misspelling would silently disable its protections.
 */
export function environmentProblem(name: string | undefined): string | undefined {
  if (name === undefined || name === '' || ENVIRONMENTS.includes(name)) return undefined;
  return `must be one of ${ENVIRONMENTS.join(', ')}, or unset; anything else is served as if it were not production`;
}

/**
 * The problem with a client id or secret, in words that do not quote it; undefined if there is none. A provider may use
 * any text, so these are warnings, not errors.
 */
export function credentialProblem(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (isQuoted(text)) return 'is in quotes, which count as part of it';
  return text === text.trim() ? undefined : 'begins or ends with white space, which counts as part of it';
}

/**
 * The problem with a well-formed setting, in words that do not quote it; undefined if there is none. A trusted proxy
 * determines the address of a client, which login limits and audit lines use.
 */
export function trustProxyProblem(
  trusted: boolean | number | readonly string[] | undefined,
): string | undefined {
  if (trusted === true) return 'believes every client about its own address; name the range of the proxy';
  if (typeof trusted !== 'object' || !trusted.includes('uniquelocal')) return undefined;
  return 'believes every private address, each pod of the cluster among them; name the range of the proxy';
}

function issuerProblem(issuer: string | undefined): string | undefined {
  if (issuer === undefined || !namesDiscoveryDocument(issuer)) return undefined;
  return 'is the address of a discovery document; leave /.well-known/… away';
}

/** In Entra ID, `email` and `preferred_username` can be given to someone else, and another tenant sets those of guests. */
function usernameProblem(oidc: OidcSettings | undefined): string | undefined {
  if (oidc === undefined || ['oid', 'sub'].includes(oidc.usernameClaim)) return undefined;
  if (!/(?:^|\.)microsoftonline\.(?:com|us|cn)$/.test(new URL(oidc.issuer).hostname)) return undefined;
  return 'names a claim of Entra ID that can change or be given to someone else; use oid';
}

function publicUrlProblem(url: URL, production: boolean): string | undefined {
  // The routes and the cookies of a login are at the root.
  if (url.pathname !== '/') return 'has a path, behind which the service does not work; give it a host name';
  if (!production || url.protocol === 'https:' || isLoopback(url)) return undefined;
  return 'is http, over which browsers keep no Secure cookie, so no one can sign in';
}

function endpointProblem(url: string | undefined): string | undefined {
  if (url?.endsWith('/v1/traces/v1/traces') !== true) return undefined;
  return 'ends in /v1/traces, which is appended to it';
}

/** Env files have comments on lines of their own only. In JSON arrays there may be anything. */
function comments(environment: Environment): readonly Oddity[] {
  const problem = 'contains " # ": what looks like a comment is part of the value';
  return Object.entries(VARIABLES)
    .filter(([, { isOpaque }]) => !isOpaque)
    .map(([variable]) => ({ variable, value: environment[variable] ?? '' }))
    .filter(({ value }) => !value.trimStart().startsWith('[') && value.includes(' # '))
    .map(({ variable }) => ({ variable, problem }));
}

/** Beyond these, one warning more helps no one. */
const MAX_UNKNOWN = 10;

/** A misspelled setting has no effect: with `SERVICE_NAMESPACE=team-a`, every namespace would be in scope. */
function unknownVariables(environment: Environment): readonly Oddity[] {
  const problem = 'has no effect: there is no such setting';
  return Object.keys(environment)
    .filter(
      (name) => /^(?:SERVICE|OIDC|SESSION)_[A-Z0-9_]{1,60}$/.test(name) && !Object.hasOwn(VARIABLES, name),
    )
    .toSorted()
    .slice(0, MAX_UNKNOWN)
    .map((variable) => ({ variable, problem }));
}
