import * as z from 'zod';
import { parseDuration } from './duration.ts';
import { isQuoted } from './quotes.ts';
import { parseSize } from './size.ts';
import { keyValues, ratio, samplerName } from './tracing-forms.ts';
import { parseTrustProxy } from './trust-proxy.ts';

/**
 * Every variable that the service reads, with its schema and the documented default. A test compares
 * `docs/configuration.md` with this table. A schema's message states the rule, never the value.
 */

const text = z.string();
const file = text.regex(/^\//, 'must be an absolute path');
const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true');
const port = z
  .string()
  .regex(/^[0-9]{1,5}$/, 'must be a port number, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number, 0 to 65535');

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const subdomain = (max: number) =>
  text
    .max(max, `must be a DNS subdomain of at most ${max} characters`)
    .regex(dnsSubdomain, 'must be a DNS subdomain (lowercase letters, digits, "-" and ".")');

const WEB_URL_RULE = 'must be an http or https URL without query, fragment or credentials';

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value) || /[?#\s]/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Kept as text: an issuer is compared exactly (OpenID Connect Discovery 1.0, section 4.3). */
const issuer = text.refine(isWebUrl, WEB_URL_RULE);
const webUrl = issuer.transform((value) => new URL(value));
const nonblank = text.refine((value) => value.trim() !== '', 'must not be blank');

const QUOTED_ENTRY_RULE =
  'must not have quotes around an entry: they would be part of it (where they are, write a JSON array)';

/** A comma-separated list, or a JSON array if the value starts with `[`, whose entries may contain commas. */
const principals = text.transform((value, context) => {
  const trimmed = value.trim();
  if (!trimmed.startsWith('[')) {
    const entries = trimmed
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    if (!entries.some(isQuoted)) return entries;
    context.addIssue({ code: 'custom', message: QUOTED_ENTRY_RULE });
    return z.NEVER;
  }
  const parsed = z
    .array(z.string().refine((entry) => entry.trim() !== ''))
    .safeParse(jsonOrUndefined(trimmed));
  if (parsed.success) return parsed.data;
  context.addIssue({
    code: 'custom',
    message: 'must be comma-separated, or a JSON array of nonempty strings',
  });
  return z.NEVER;
});

function jsonOrUndefined(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined; // JSON.parse quotes its input in the error, so the error is dropped.
  }
}

/** Each group of a sign-in is compared with each pattern, so both numbers are limited. */
const MAX_GROUP_PATTERNS = 64;
const MAX_GROUP_PATTERN_CHARACTERS = 256;

const groupPatterns = principals.refine(
  (patterns) =>
    patterns.length > 0 &&
    patterns.length <= MAX_GROUP_PATTERNS &&
    patterns.every((pattern) => pattern.length <= MAX_GROUP_PATTERN_CHARACTERS),
  'must name 1 to 64 groups, in which * stands for any characters, each of at most 256 characters',
);

/** Namespaces by name. `everyNamespace` if `*` is among the entries. */
export interface NamespaceSelection {
  readonly everyNamespace: boolean;
  readonly named: readonly string[];
}

const namespaces = principals.transform((entries, context): NamespaceSelection => {
  const named = [...new Set(entries)].filter((entry) => entry !== '*').sort();
  if (entries.length > 0 && named.every((name) => dnsLabel.test(name))) {
    return { everyNamespace: entries.includes('*'), named };
  }
  context.addIssue({ code: 'custom', message: 'must be * or name at least one namespace, each a DNS label' });
  return z.NEVER;
});

/** At most `requests` within `windowMs`. */
export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** A longer window would overflow the timer that ends it, which would then end it immediately. */
const MAX_WINDOW_MS = 24 * 86_400_000;

const rateLimit = text.transform((value, context): RateLimit | 'off' => {
  if (value === 'off') return 'off';
  const match = /^([1-9][0-9]{0,6})\/(.+)$/.exec(value);
  const windowMs = match?.[2] === undefined ? undefined : parseDuration(match[2]);
  if (match?.[1] !== undefined && windowMs !== undefined && windowMs <= MAX_WINDOW_MS) {
    return { requests: Number(match[1]), windowMs };
  }
  context.addIssue({
    code: 'custom',
    message: 'must be off, or a count and a duration of at most 24d, such as 1200/1m',
  });
  return z.NEVER;
});

const trustProxy = text.transform((value, context): boolean | number | string[] => {
  const parsed = parseTrustProxy(value);
  if (parsed !== undefined) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'must be true, false, a number of hops, or addresses and subnets',
  });
  return z.NEVER;
});

const scopes = text
  .transform((value) => value.trim().split(/\s+/))
  .refine((list) => list.includes('openid'), 'must be space-separated scopes with openid among them');

const claimPath = text.regex(
  /^[^\s.]+(\.[^\s.]+)*$/,
  'must be a claim name, or a dotted path of claim names',
);

const historyLimit = text
  .regex(/^[0-9]{1,4}$/, 'must be a whole number from 1 to 1000')
  .transform(Number)
  .refine((value) => value >= 1 && value <= 1_000, 'must be a whole number from 1 to 1000');

const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  error: 'must be fatal, error, warn, info, debug, trace or silent',
});

const clientAuthMethod = z.enum(['client_secret_basic', 'client_secret_post'], {
  error: 'must be client_secret_basic or client_secret_post',
});

const duration = text.transform((value, context): number => {
  const milliseconds = parseDuration(value);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: 'custom', message: 'must be a duration such as 90s, 72h or 30d' });
  return z.NEVER;
});

/** A longer silence would make the check useless. */
const DAY_MS = 86_400_000;
const maxSilence = duration.refine((value) => value <= DAY_MS, 'must be a duration of at most 1d');

const MIB = 1_024 ** 2;
/** A session may use a quarter of it, and one body of 16 MiB, the contract's limit, must always fit. */
const MIN_BODY_BUDGET = 64 * MIB;
const BODY_BUDGET_RULE = 'must be a size from 64MiB to 64GiB, such as 64MiB or 1GiB';

const bodyBudget = text.transform((value, context): number => {
  const bytes = parseSize(value);
  if (bytes !== undefined && bytes >= MIN_BODY_BUDGET && bytes <= 65_536 * MIB) return bytes;
  context.addIssue({ code: 'custom', message: BODY_BUDGET_RULE });
  return z.NEVER;
});

interface Variable<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** Used when the variable is unset or empty; parsed by the same schema. */
  readonly fallback?: string;
  /** The default as the documentation states it, where it is not simply `fallback`. */
  readonly shownDefault?: string;
  /** A random text from elsewhere, taken as it is, quotes included. */
  readonly opaque?: true;
}

const variable = <Schema extends z.ZodType>(
  schema: Schema,
  fallback?: string,
  shownDefault?: string,
): Variable<Schema> => ({
  schema,
  ...(fallback === undefined ? {} : { fallback }),
  ...(shownDefault === undefined ? {} : { shownDefault }),
});

const opaque = <Schema extends z.ZodType>(schema: Schema): Variable<Schema> => ({ schema, opaque: true });

export const VARIABLES = {
  NODE_ENV: variable(text),
  HOST: variable(
    text.regex(/^[^\s/[\]]+$/, 'must be an address, without brackets, or a host name'),
    undefined,
    '0.0.0.0, or 127.0.0.1 with AUTH_DISABLED=true',
  ),
  PORT: variable(port, '3000'),
  OPS_PORT: variable(port, '9090'),
  NEXT_PUBLIC_APP_URL: variable(webUrl, undefined, 'http://localhost:<PORT> outside production'),
  TRUST_PROXY: variable(trustProxy),
  SERVICE_TLS_CERT_FILE: variable(file),
  SERVICE_TLS_KEY_FILE: variable(file),
  LOG_LEVEL: variable(logLevel, 'info'),
  SERVICE_WAIT_FOR_SETTINGS: variable(flag, 'false'),

  AUTH_DISABLED: variable(flag),
  SESSION_SECRET: opaque(text),
  SESSION_SECRET_PREVIOUS: opaque(text),
  SERVICE_COMPACT_SESSIONS: variable(flag),
  SERVICE_REVOCATIONS_NAME: variable(subdomain(253), 'service-revocations'),
  POD_NAMESPACE: variable(text.regex(dnsLabel, 'must be a namespace, which is a DNS label')),
  OIDC_ISSUER: variable(issuer),
  OIDC_CLIENT_ID: variable(nonblank),
  OIDC_CLIENT_SECRET: opaque(nonblank),
  OIDC_CLIENT_AUTH_METHOD: variable(clientAuthMethod, 'client_secret_basic'),
  OIDC_SCOPES: variable(scopes, 'openid profile email groups'),
  OIDC_GROUPS_CLAIM: variable(claimPath, 'groups'),
  OIDC_USERNAME_CLAIM: variable(claimPath, 'email'),
  OIDC_NAME_CLAIM: variable(claimPath, 'name'),
  OIDC_REDIRECT_URI: variable(webUrl, undefined, '<NEXT_PUBLIC_APP_URL>/api/auth/callback'),
  OIDC_ALLOW_HTTP: variable(flag),
  OIDC_ALLOW_UNVERIFIED_EMAIL: variable(flag),
  OIDC_RP_LOGOUT: variable(flag),

  SERVICE_ADMIN_USERS: variable(principals, undefined, 'empty'),
  SERVICE_ADMIN_GROUPS: variable(principals, undefined, 'empty'),
  SERVICE_GROUPS_FILTER: variable(groupPatterns, undefined, 'empty'),
  SERVICE_NAMESPACES: variable(namespaces, '*'),
  SERVICE_POLICY_NAME: variable(subdomain(253), 'service-policy'),
  SERVICE_MANAGED_ONLY: variable(flag),
  SERVICE_ANNOTATION_PREFIX: variable(subdomain(253), 'service.io'),
  SERVICE_HISTORY_LIMIT: variable(historyLimit, '10'),
  SERVICE_LIST_CACHE: variable(flag, 'true'),
  SERVICE_CACHE_MAX_SILENCE: variable(maxSilence, '90s'),
  SERVICE_HISTORY_ORPHAN_TTL: variable(duration),
  SERVICE_CONSUMERS_ENABLED: variable(flag, 'false'),
  SERVICE_RESTART_ENABLED: variable(flag, 'false'),
  SERVICE_BODY_BUDGET: variable(bodyBudget, '64MiB'),
  SERVICE_RATE_LIMIT: variable(rateLimit, '1200/1m'),
  SERVICE_LOGIN_RATE_LIMIT: variable(rateLimit, '60/1m'),

  OTEL_EXPORTER_OTLP_ENDPOINT: variable(webUrl),
  OTEL_EXPORTER_OTLP_HEADERS: variable(keyValues),
  OTEL_SERVICE_NAME: variable(nonblank, undefined, 'secrets-management-service'),
  OTEL_RESOURCE_ATTRIBUTES: variable(keyValues),
  OTEL_TRACES_SAMPLER: variable(samplerName, 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: variable(ratio, '1'),
  SERVICE_TRUST_TRACEPARENT: variable(flag, 'false'),
};

export type VariableName = keyof typeof VARIABLES;
export type VariableValues = {
  readonly [Name in VariableName]: z.output<(typeof VARIABLES)[Name]['schema']> | undefined;
};
