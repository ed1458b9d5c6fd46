import { readFileSync } from 'node:fs';
import { withoutTrailingSlashes } from './addresses.ts';
import { file, isQuoted, QUOTES_RULE } from './forms.ts';
import { withCertificates } from './trusted-issuers.ts';
import { VARIABLES, type VariableName, type VariableValues } from './variables.ts';

/** The service's settings: read once from the environment, checked, and deeply frozen. */
export type Settings = Frozen<ReturnType<typeof compose>>;
/** Undefined until OIDC_ISSUER and OIDC_CLIENT_ID are both set. */
export type OidcSettings = NonNullable<Settings['auth']['oidc']>;

type Frozen<Value> = { readonly [Key in keyof Value]: Frozen<Value[Key]> };

type Environment = Readonly<Record<string, string | undefined>>;

type Report = (variable: VariableName, rule: string) => void;

export interface SettingsProblem {
  readonly variable: VariableName;
  /** The rule that the variable breaks; never its value. */
  readonly rule: string;
}

/** All problems of the environment. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(`Invalid configuration: ${problems.map(({ variable, rule }) => `${variable} ${rule}`).join('; ')}`);
    this.problems = problems;
  }
}

const TLS_PAIR = [
  ['SERVICE_TLS_CERT_FILE', 'SERVICE_TLS_KEY_FILE'],
  ['SERVICE_TLS_KEY_FILE', 'SERVICE_TLS_CERT_FILE'],
] as const;

/**
 * Reads the settings from an environment.
 * @throws {SettingsError} naming every offending variable and its rule, never a value
 */
export function readSettings(
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Settings {
  const problems: SettingsProblem[] = [];
  const report: Report = (variable, rule) => {
    problems.push({ variable, rule });
  };
  const parsed = parseVariables(withTrustedIssuers(environment, readFile, report), report);
  const issuers = withCertificates(parsed.SERVICE_TRUSTED_ISSUERS ?? [], readFile, (rule) => {
    report('SERVICE_TRUSTED_ISSUERS', rule);
  });
  const values = { ...parsed, SERVICE_TRUSTED_ISSUERS: issuers };
  const isAbsent = (name: VariableName): boolean =>
    values[name] === undefined && !problems.some(({ variable }) => variable === name);
  const production = values.NODE_ENV === 'production';
  if (production && values.AUTH_DISABLED === true) report('AUTH_DISABLED', 'must not be true in production');
  else if (production && isAbsent('NEXT_PUBLIC_APP_URL') && values.SERVICE_WAIT_FOR_SETTINGS !== true)
    report('NEXT_PUBLIC_APP_URL', 'is required in production with auth enabled');
  if (production && /^http:/i.test(values.OIDC_ISSUER ?? ''))
    report('OIDC_ISSUER', 'must be https in production');
  if (values.PORT !== undefined && values.PORT !== 0 && values.PORT === values.OPS_PORT)
    report('OPS_PORT', 'must differ from PORT');
  for (const [one, other] of TLS_PAIR)
    if (values[one] !== undefined && isAbsent(other)) report(other, `is required with ${one}`);
  if (problems.length > 0) throw new SettingsError(problems);
  // Without problems, each variable with a default has a value.
  return deepFreeze(structuredClone(compose(values as VariableValues, production)));
}

/** SERVICE_TRUSTED_ISSUERS as it is, or as SERVICE_TRUSTED_ISSUERS_FILE has it. */
function withTrustedIssuers(
  environment: Environment,
  readFile: (path: string) => string,
  report: Report,
): Environment {
  const { SERVICE_TRUSTED_ISSUERS: given = '', SERVICE_TRUSTED_ISSUERS_FILE: path } = environment;
  // A malformed path is reported by its own form.
  if (path === undefined || !file.safeParse(path).success) return environment;
  try {
    // An empty variable would count as unset.
    if (given === '') return { ...environment, SERVICE_TRUSTED_ISSUERS: readFile(path) || ' ' };
    report('SERVICE_TRUSTED_ISSUERS_FILE', 'must not be set with SERVICE_TRUSTED_ISSUERS');
  } catch {
    report('SERVICE_TRUSTED_ISSUERS_FILE', 'must be a file that can be read');
  }
  return environment;
}

/** An empty variable counts as unset, as in shells and manifests. */
function parseVariables(environment: Environment, report: Report): Partial<VariableValues> {
  const entries = (Object.keys(VARIABLES) as VariableName[]).map((name) => {
    const { schema, isOpaque } = VARIABLES[name];
    const given = environment[name] === '' ? undefined : environment[name];
    const isInQuotes = given !== undefined && !isOpaque && isQuoted(given);
    const { data, error } = schema.safeParse(given);
    const rule = isInQuotes ? QUOTES_RULE : error?.issues[0]?.message;
    if (rule !== undefined) report(name, rule);
    return [name, isInQuotes ? undefined : data];
  });
  return Object.fromEntries(entries) as Partial<VariableValues>;
}

function compose(values: VariableValues, production: boolean) {
  const publicUrl = withoutTrailingSlashes(
    (values.NEXT_PUBLIC_APP_URL ?? new URL(`http://localhost:${values.PORT}`)).href,
  );
  return {
    /** `NODE_ENV=production`: Secure cookies, no plain-http issuers. */
    production,
    /** With SERVICE_WAIT_FOR_SETTINGS, the required variables that are absent. The service starts only once there are none. */
    missing: missingSettings(values),
    http: composeHttp(values, publicUrl),
    auth: composeAuth(values, publicUrl),
    access: {
      adminUsers: values.SERVICE_ADMIN_USERS ?? [],
      adminGroups: values.SERVICE_ADMIN_GROUPS ?? [],
      /** Patterns of the groups that a session keeps. An empty list keeps all. */
      groupsFilter: values.SERVICE_GROUPS_FILTER ?? [],
      /** The scope: the named namespaces, and whether `*` adds all others except system namespaces. */
      namespaces: values.SERVICE_NAMESPACES,
      /** Name of the ConfigMap that holds a namespace's rules. */
      policyName: values.SERVICE_POLICY_NAME,
      /** An email address or an https URL for people who need access. */
      contact: values.SERVICE_ACCESS_CONTACT,
    },
    /** Whose service this is, for the page where people sign in. */
    displayName: values.SERVICE_DISPLAY_NAME,
    secrets: {
      managedOnly: values.SERVICE_MANAGED_ONLY ?? false,
      annotationPrefix: values.SERVICE_ANNOTATION_PREFIX,
      /** Snapshots kept per live Secret, 1 to 1000. */
      historyLimit: values.SERVICE_HISTORY_LIMIT,
      /** How long snapshots are kept after their live Secret is gone; undefined for ever. */
      orphanTtlMs: values.SERVICE_HISTORY_ORPHAN_TTL,
    },
    lists: {
      /** Lists may be served from memory. */
      cache: values.SERVICE_LIST_CACHE,
      /** A watch that has been silent for longer makes its cache stale. */
      maxSilenceMs: values.SERVICE_CACHE_MAX_SILENCE,
      /** Whether the metrics name the Secrets that expire first. */
      expiryMetrics: values.SERVICE_EXPIRY_METRICS,
    },
    consumers: {
      /** Whether the consumers of Secrets are listed, which takes rights of its own. Restart implies it. */
      enabled: values.SERVICE_CONSUMERS_ENABLED || values.SERVICE_RESTART_ENABLED,
    },
    /** Whether the consumers of Secrets may be restarted, which takes further rights. */
    restart: { enabled: values.SERVICE_RESTART_ENABLED },
    limits: {
      /** Bytes of request bodies in memory at once, of all people. */
      bodyBytes: values.SERVICE_BODY_BUDGET,
      requestsPerPerson: values.SERVICE_RATE_LIMIT,
      loginsPerAddress: values.SERVICE_LOGIN_RATE_LIMIT,
    },
    logLevel: values.LOG_LEVEL,
    loggedRequests: values.LOG_REQUESTS,
    tracing: composeTracing(values),
  };
}

/** What sign-in needs, in the order in which an operator comes by it. */
const REQUIRED = ['NEXT_PUBLIC_APP_URL', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'SESSION_SECRET'] as const;

/**
 * The required variables that are absent, where SERVICE_WAIT_FOR_SETTINGS says to wait for them. Whether a signing key
 * that is present is usable is checked when it is used, as everywhere.
 */
function missingSettings(values: VariableValues): readonly VariableName[] {
  if (!values.SERVICE_WAIT_FOR_SETTINGS || values.AUTH_DISABLED === true) return [];
  return REQUIRED.filter(
    // Outside production the public address has a default.
    (name) =>
      values[name] === undefined && !(name === 'NEXT_PUBLIC_APP_URL' && values.NODE_ENV !== 'production'),
  );
}

function composeHttp(values: VariableValues, publicUrl: string) {
  const { SERVICE_TLS_CERT_FILE: certFile, SERVICE_TLS_KEY_FILE: keyFile } = values;
  return {
    // Without sign-in, only this machine has access.
    host: values.HOST ?? (values.AUTH_DISABLED === true ? '127.0.0.1' : '0.0.0.0'),
    port: values.PORT,
    opsPort: values.OPS_PORT,
    trustProxy: values.TRUST_PROXY,
    /** Serves HTTPS with this certificate and key, in PEM files. */
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    /** Public base URL without a trailing slash. */
    publicUrl,
  };
}

function composeAuth(values: VariableValues, publicUrl: string) {
  const { POD_NAMESPACE: namespace, SERVICE_REVOCATIONS_NAME: name } = values;
  return {
    disabled: values.AUTH_DISABLED ?? false,
    oidc: composeOidc(values, publicUrl),
    /** As given. The rules of signing keys are checked when auth is used, so that probes and builds need no key. */
    sessionSecret: values.SESSION_SECRET,
    /** A former key, as given. Sessions that it signed are still valid. */
    previousSessionSecret: values.SESSION_SECRET_PREVIOUS,
    /** Writes long sessions in their compact form, which earlier versions cannot read. */
    compactSessions: values.SERVICE_COMPACT_SESSIONS ?? false,
    /** The ConfigMap that ends sessions early; undefined if the service's own namespace is not set. */
    revocations: namespace === undefined ? undefined : { namespace, name },
    /** The issuers of tokens of machines. Without one, no machine has access. */
    trustedIssuers: values.SERVICE_TRUSTED_ISSUERS ?? [],
  };
}

function composeOidc(values: VariableValues, publicUrl: string) {
  if (values.OIDC_ISSUER === undefined || values.OIDC_CLIENT_ID === undefined) return undefined;
  return {
    /** Exactly as configured. The `issuer` of the discovery document must be identical. */
    issuer: values.OIDC_ISSUER,
    clientId: values.OIDC_CLIENT_ID,
    /** Undefined for a public client, which relies on PKCE alone. */
    clientSecret: values.OIDC_CLIENT_SECRET,
    clientAuthMethod: values.OIDC_CLIENT_AUTH_METHOD,
    scopes: values.OIDC_SCOPES,
    groupsClaim: values.OIDC_GROUPS_CLAIM,
    usernameClaim: values.OIDC_USERNAME_CLAIM,
    nameClaim: values.OIDC_NAME_CLAIM,
    redirectUri: values.OIDC_REDIRECT_URI?.href ?? `${publicUrl}/api/auth/callback`,
    /** Allows plain http for loopback hosts. Production refuses it, whatever else is set. */
    allowHttp: values.OIDC_ALLOW_HTTP === true && values.NODE_ENV !== 'production',
    /** Accepts an email that its own document reports as not verified. */
    allowUnverifiedEmail: values.OIDC_ALLOW_UNVERIFIED_EMAIL ?? false,
    /** Where the provider sends the browser after signing out there; undefined if signing out at the provider is disabled. */
    postLogoutRedirectUri: values.OIDC_RP_LOGOUT === true ? `${publicUrl}/login` : undefined,
  };
}

/** Undefined unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
function composeTracing(values: VariableValues) {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const name = values.OTEL_SERVICE_NAME;
  return {
    /** Where spans are sent to. */
    url: `${withoutTrailingSlashes(endpoint.href)}/v1/traces`,
    /** They may contain a token. */
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    sampler: { name: values.OTEL_TRACES_SAMPLER, ratio: values.OTEL_TRACES_SAMPLER_ARG },
    /** Follows the sampling decision of callers. */
    trustsParent: values.SERVICE_TRUST_TRACEPARENT,
    /** Attributes that are given for the service. */
    resource: { ...values.OTEL_RESOURCE_ATTRIBUTES, ...(name !== undefined && { 'service.name': name }) },
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
