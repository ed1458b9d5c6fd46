import type * as z from 'zod';
import {
  bodyBudget,
  claimPath,
  clientAuthMethod,
  duration,
  file,
  flag,
  groupPatterns,
  historyLimit,
  host,
  issuer,
  keyValues,
  logLevel,
  maxSilence,
  namespace,
  namespaces,
  nonblank,
  port,
  principals,
  rateLimit,
  ratio,
  samplerName,
  scopes,
  subdomain,
  text,
  trustProxy,
  webUrl,
} from './forms.ts';

interface Variable<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** The value of a variable that is unset or empty; parsed by the same schema. */
  readonly fallback?: string;
  /** The default as the documentation states it; the fallback if it is absent, or else `unset`. */
  readonly shownDefault?: string;
  /** A random text from elsewhere, taken as it is, quotes included. */
  readonly opaque?: true;
}

interface Defaulted<Schema extends z.ZodType> extends Variable<Schema> {
  readonly fallback: string;
}

const optional = <Schema extends z.ZodType>(schema: Schema, shownDefault?: string): Variable<Schema> => ({
  schema,
  ...(shownDefault !== undefined && { shownDefault }),
});
const defaulted = <Schema extends z.ZodType>(schema: Schema, fallback: string): Defaulted<Schema> => ({
  schema,
  fallback,
});
const opaque = <Schema extends z.ZodType>(schema: Schema): Variable<Schema> => ({ schema, opaque: true });

/**
 * Every variable that the service reads, with its form and its documented default. A test compares
 * `docs/configuration.md` with this table.
 */
export const VARIABLES = {
  NODE_ENV: optional(text),
  HOST: optional(host, '0.0.0.0, or 127.0.0.1 with AUTH_DISABLED=true'),
  PORT: defaulted(port, '3000'),
  OPS_PORT: defaulted(port, '9090'),
  NEXT_PUBLIC_APP_URL: optional(webUrl, 'http://localhost:<PORT> outside production'),
  TRUST_PROXY: optional(trustProxy),
  SERVICE_TLS_CERT_FILE: optional(file),
  SERVICE_TLS_KEY_FILE: optional(file),
  LOG_LEVEL: defaulted(logLevel, 'info'),
  SERVICE_WAIT_FOR_SETTINGS: defaulted(flag, 'false'),

  AUTH_DISABLED: optional(flag),
  SESSION_SECRET: opaque(text),
  SESSION_SECRET_PREVIOUS: opaque(text),
  SERVICE_COMPACT_SESSIONS: optional(flag),
  SERVICE_REVOCATIONS_NAME: defaulted(subdomain, 'service-revocations'),
  POD_NAMESPACE: optional(namespace),
  OIDC_ISSUER: optional(issuer),
  OIDC_CLIENT_ID: optional(nonblank),
  OIDC_CLIENT_SECRET: opaque(nonblank),
  OIDC_CLIENT_AUTH_METHOD: defaulted(clientAuthMethod, 'client_secret_basic'),
  OIDC_SCOPES: defaulted(scopes, 'openid profile email groups'),
  OIDC_GROUPS_CLAIM: defaulted(claimPath, 'groups'),
  OIDC_USERNAME_CLAIM: defaulted(claimPath, 'email'),
  OIDC_NAME_CLAIM: defaulted(claimPath, 'name'),
  OIDC_REDIRECT_URI: optional(webUrl, '<NEXT_PUBLIC_APP_URL>/api/auth/callback'),
  OIDC_ALLOW_HTTP: optional(flag),
  OIDC_ALLOW_UNVERIFIED_EMAIL: optional(flag),
  OIDC_RP_LOGOUT: optional(flag),

  SERVICE_ADMIN_USERS: optional(principals, 'empty'),
  SERVICE_ADMIN_GROUPS: optional(principals, 'empty'),
  SERVICE_GROUPS_FILTER: optional(groupPatterns, 'empty'),
  SERVICE_NAMESPACES: defaulted(namespaces, '*'),
  SERVICE_POLICY_NAME: defaulted(subdomain, 'service-policy'),
  SERVICE_MANAGED_ONLY: optional(flag),
  SERVICE_ANNOTATION_PREFIX: defaulted(subdomain, 'service.io'),
  SERVICE_HISTORY_LIMIT: defaulted(historyLimit, '10'),
  SERVICE_LIST_CACHE: defaulted(flag, 'true'),
  SERVICE_CACHE_MAX_SILENCE: defaulted(maxSilence, '90s'),
  SERVICE_HISTORY_ORPHAN_TTL: optional(duration),
  SERVICE_CONSUMERS_ENABLED: defaulted(flag, 'false'),
  SERVICE_RESTART_ENABLED: defaulted(flag, 'false'),
  SERVICE_BODY_BUDGET: defaulted(bodyBudget, '64MiB'),
  SERVICE_RATE_LIMIT: defaulted(rateLimit, '1200/1m'),
  SERVICE_LOGIN_RATE_LIMIT: defaulted(rateLimit, '60/1m'),

  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webUrl),
  OTEL_EXPORTER_OTLP_HEADERS: optional(keyValues),
  OTEL_SERVICE_NAME: optional(nonblank, 'secrets-management-service'),
  OTEL_RESOURCE_ATTRIBUTES: optional(keyValues),
  OTEL_TRACES_SAMPLER: defaulted(samplerName, 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: defaulted(ratio, '1'),
  SERVICE_TRUST_TRACEPARENT: defaulted(flag, 'false'),
};

export type VariableName = keyof typeof VARIABLES;
export type VariableValues = {
  readonly [Name in VariableName]:
    | z.output<(typeof VARIABLES)[Name]['schema']>
    | ((typeof VARIABLES)[Name] extends Defaulted<z.ZodType> ? never : undefined);
};
