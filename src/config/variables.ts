import type * as z from 'zod';
import * as forms from './forms.ts';
import { trustedIssuers } from './trusted-issuers.ts';

/** What makes a value of the text of a variable. */
type Form<Value> = z.ZodType<Value, string>;

/** @param shownDefault the default as the documentation states it, where it is not `unset` */
const optional = <Value>(form: Form<Value>, shownDefault = 'unset') => ({
  schema: form.optional(),
  shownDefault,
  isOpaque: false,
});
const defaulted = <Value>(form: Form<Value>, fallback: string) => ({
  schema: form.prefault(fallback),
  shownDefault: fallback,
  isOpaque: false,
});
/** A random text from elsewhere, taken as it is, quotes included. */
const opaque = (form: Form<string>) => ({ ...optional(form), isOpaque: true });

/**
 * Every variable that the service reads, with its form and its documented default. A test compares
 * `docs/configuration.md` with this table.
 */
export const VARIABLES = {
  NODE_ENV: optional(forms.text),
  HOST: optional(forms.host, '0.0.0.0, or 127.0.0.1 with AUTH_DISABLED=true'),
  PORT: defaulted(forms.port, '3000'),
  OPS_PORT: defaulted(forms.port, '9090'),
  NEXT_PUBLIC_APP_URL: optional(forms.webUrl, 'http://localhost:<PORT> outside production'),
  TRUST_PROXY: optional(forms.trustProxy),
  SERVICE_TLS_CERT_FILE: optional(forms.file),
  SERVICE_TLS_KEY_FILE: optional(forms.file),
  LOG_LEVEL: defaulted(forms.logLevel, 'info'),
  LOG_REQUESTS: defaulted(forms.loggedRequests, 'notable'),
  SERVICE_WAIT_FOR_SETTINGS: defaulted(forms.flag, 'false'),

  AUTH_DISABLED: optional(forms.flag),
  SESSION_SECRET: opaque(forms.text),
  SESSION_SECRET_PREVIOUS: opaque(forms.text),
  SERVICE_COMPACT_SESSIONS: optional(forms.flag),
  SERVICE_REVOCATIONS_NAME: defaulted(forms.subdomain, 'service-revocations'),
  POD_NAMESPACE: optional(forms.namespace),
  OIDC_ISSUER: optional(forms.issuer),
  OIDC_CLIENT_ID: optional(forms.nonblank),
  OIDC_CLIENT_SECRET: opaque(forms.nonblank),
  OIDC_CLIENT_AUTH_METHOD: defaulted(forms.clientAuthMethod, 'client_secret_basic'),
  OIDC_SCOPES: defaulted(forms.scopes, 'openid profile email groups'),
  OIDC_GROUPS_CLAIM: defaulted(forms.claimPath, 'groups'),
  OIDC_USERNAME_CLAIM: defaulted(forms.claimPath, 'email'),
  OIDC_NAME_CLAIM: defaulted(forms.claimPath, 'name'),
  OIDC_REDIRECT_URI: optional(forms.webUrl, '<NEXT_PUBLIC_APP_URL>/api/auth/callback'),
  OIDC_ALLOW_HTTP: optional(forms.flag),
  OIDC_ALLOW_UNVERIFIED_EMAIL: optional(forms.flag),
  OIDC_RP_LOGOUT: optional(forms.flag),
  SERVICE_TRUSTED_ISSUERS: optional(trustedIssuers),
  SERVICE_TRUSTED_ISSUERS_FILE: optional(forms.file),

  SERVICE_ADMIN_USERS: optional(forms.principals, 'empty'),
  SERVICE_ADMIN_GROUPS: optional(forms.principals, 'empty'),
  SERVICE_GROUPS_FILTER: optional(forms.groupPatterns, 'empty'),
  SERVICE_NAMESPACES: defaulted(forms.namespaces, '*'),
  SERVICE_POLICY_NAME: defaulted(forms.subdomain, 'service-policy'),
  SERVICE_ACCESS_CONTACT: optional(forms.contact),
  SERVICE_DISPLAY_NAME: optional(forms.displayName),
  SERVICE_MANAGED_ONLY: optional(forms.flag),
  SERVICE_ANNOTATION_PREFIX: defaulted(forms.subdomain, 'service.io'),
  SERVICE_HISTORY_LIMIT: defaulted(forms.historyLimit, '10'),
  SERVICE_LIST_CACHE: defaulted(forms.flag, 'true'),
  SERVICE_CACHE_MAX_SILENCE: defaulted(forms.maxSilence, '90s'),
  SERVICE_EXPIRY_METRICS: defaulted(forms.flag, 'false'),
  SERVICE_HISTORY_ORPHAN_TTL: optional(forms.duration),
  SERVICE_CONSUMERS_ENABLED: defaulted(forms.flag, 'false'),
  SERVICE_RESTART_ENABLED: defaulted(forms.flag, 'false'),
  SERVICE_BODY_BUDGET: defaulted(forms.bodyBudget, '64MiB'),
  SERVICE_RATE_LIMIT: defaulted(forms.rateLimit, '1200/1m'),
  SERVICE_LOGIN_RATE_LIMIT: defaulted(forms.rateLimit, '60/1m'),

  OTEL_EXPORTER_OTLP_ENDPOINT: optional(forms.webUrl),
  OTEL_EXPORTER_OTLP_HEADERS: optional(forms.keyValues),
  OTEL_SERVICE_NAME: optional(forms.nonblank, 'secrets-management-service'),
  OTEL_RESOURCE_ATTRIBUTES: optional(forms.keyValues),
  OTEL_TRACES_SAMPLER: defaulted(forms.samplerName, 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: defaulted(forms.ratio, '1'),
  SERVICE_TRUST_TRACEPARENT: defaulted(forms.flag, 'false'),
};

export type VariableName = keyof typeof VARIABLES;
export type VariableValues = {
  readonly [Name in VariableName]: z.output<(typeof VARIABLES)[Name]['schema']>;
};
