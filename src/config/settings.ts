import { withoutTrailingSlashes } from './base-url.ts';
import { missingSettings } from './missing-settings.ts';
import { isQuoted, QUOTES_RULE } from './quotes.ts';
import { composeTracing, type TracingSettings } from './tracing-settings.ts';
import {
  VARIABLES,
  type NamespaceSelection,
  type RateLimit,
  type VariableName,
  type VariableValues,
} from './variables.ts';

/** The service's settings: read once from the environment, checked, and deeply frozen. */
export interface Settings {
  /** `NODE_ENV=production`: Secure cookies, no plain-http issuers. */
  readonly production: boolean;
  /** With SERVICE_WAIT_FOR_SETTINGS, the required variables that are absent. The service starts only once there are none. */
  readonly missing: readonly VariableName[];
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly opsPort: number;
    readonly trustProxy: boolean | number | readonly string[] | undefined;
    /** Serves HTTPS with this certificate and key, in PEM files. */
    readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
    /** Public base URL without a trailing slash. */
    readonly publicUrl: string;
  };
  readonly auth: {
    readonly disabled: boolean;
    /** Undefined until OIDC_ISSUER and OIDC_CLIENT_ID are both set. */
    readonly oidc: OidcSettings | undefined;
    /** As given. The rules of signing keys are checked when auth is used, so that probes and builds need no key. */
    readonly sessionSecret: string | undefined;
    /** A former key, as given. Sessions that it signed are still valid. */
    readonly previousSessionSecret: string | undefined;
    /** Writes long sessions in their compact form, which earlier versions cannot read. */
    readonly compactSessions: boolean;
    /** The ConfigMap that ends sessions early; undefined if the service's own namespace is not set. */
    readonly revocations: { readonly namespace: string; readonly name: string } | undefined;
  };
  readonly access: {
    readonly adminUsers: readonly string[];
    readonly adminGroups: readonly string[];
    /** Patterns of the groups that a session keeps. An empty list keeps all. */
    readonly groupsFilter: readonly string[];
    /** The scope: the named namespaces, and whether `*` adds all others except system namespaces. */
    readonly namespaces: NamespaceSelection;
    /** Name of the ConfigMap that holds a namespace's rules. */
    readonly policyName: string;
  };
  readonly secrets: {
    readonly managedOnly: boolean;
    readonly annotationPrefix: string;
    /** Snapshots kept per live Secret, 1 to 1000. */
    readonly historyLimit: number;
    /** How long snapshots are kept after their live Secret is gone; undefined for ever. */
    readonly orphanTtlMs: number | undefined;
  };
  readonly lists: {
    /** Lists may be served from memory. */
    readonly cache: boolean;
    /** A watch that has been silent for longer makes its cache stale. */
    readonly maxSilenceMs: number;
  };
  readonly consumers: {
    /** Whether the consumers of Secrets are listed, which takes rights of its own. Restart implies it. */
    readonly enabled: boolean;
  };
  readonly restart: {
    /** Whether the consumers of Secrets may be restarted, which takes further rights. */
    readonly enabled: boolean;
  };
  readonly limits: {
    /** Bytes of request bodies in memory at once, of all people. */
    readonly bodyBytes: number;
    readonly requestsPerPerson: RateLimit | undefined;
    readonly loginsPerAddress: RateLimit | undefined;
  };
  readonly logLevel: NonNullable<VariableValues['LOG_LEVEL']>;
  /** Undefined unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
  readonly tracing: TracingSettings | undefined;
}

export interface OidcSettings {
  /** Exactly as configured. The `issuer` of the discovery document must be identical. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which relies on PKCE alone. */
  readonly clientSecret: string | undefined;
  readonly clientAuthMethod: 'client_secret_basic' | 'client_secret_post';
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  readonly usernameClaim: string;
  readonly nameClaim: string;
  readonly redirectUri: string;
  /** Allows plain http for loopback hosts, never in production. */
  readonly allowHttp: boolean;
  /** Accepts an email that its own document reports as not verified. */
  readonly allowUnverifiedEmail: boolean;
  /**
   * Where the provider sends the browser after signing out there; undefined if signing out at the provider is disabled.
   */
  readonly postLogoutRedirectUri: string | undefined;
}

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
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: SettingsProblem[] = [];
  const values = parseVariables(environment, problems);
  const production = values.NODE_ENV === 'production';
  if (production && values.AUTH_DISABLED === true) {
    problems.push({ variable: 'AUTH_DISABLED', rule: 'must not be true in production' });
  } else if (
    production &&
    values.NEXT_PUBLIC_APP_URL === undefined &&
    values.SERVICE_WAIT_FOR_SETTINGS !== true &&
    !has(problems, 'NEXT_PUBLIC_APP_URL')
  ) {
    problems.push({ variable: 'NEXT_PUBLIC_APP_URL', rule: 'is required in production with auth enabled' });
  }
  if (values.PORT !== undefined && values.PORT !== 0 && values.PORT === values.OPS_PORT) {
    problems.push({ variable: 'OPS_PORT', rule: 'must differ from PORT' });
  }
  for (const [one, other] of TLS_PAIR) {
    if (values[one] === undefined || values[other] !== undefined || has(problems, other)) continue;
    problems.push({ variable: other, rule: `is required with ${one}` });
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return deepFreeze(structuredClone(compose(values, production)));
}

function has(problems: readonly SettingsProblem[], name: VariableName): boolean {
  return problems.some(({ variable }) => variable === name);
}

/** An empty variable counts as unset, as in shells and manifests. */
function parseVariables(
  environment: Readonly<Record<string, string | undefined>>,
  problems: SettingsProblem[],
): VariableValues {
  const entries = (Object.keys(VARIABLES) as VariableName[]).map((name) => {
    const { schema, fallback, opaque = false } = VARIABLES[name];
    const given = environment[name];
    const source = given === undefined || given === '' ? fallback : given;
    if (source === undefined) return [name, undefined];
    if (!opaque && isQuoted(source)) {
      problems.push({ variable: name, rule: QUOTES_RULE });
      return [name, undefined];
    }
    const parsed = schema.safeParse(source);
    if (parsed.success) return [name, parsed.data];
    problems.push({ variable: name, rule: parsed.error.issues[0]?.message ?? 'is malformed' });
    return [name, undefined];
  });
  return Object.fromEntries(entries) as VariableValues;
}

function compose(values: VariableValues, production: boolean): Settings {
  const port = required(values.PORT);
  const authDisabled = values.AUTH_DISABLED ?? false;
  const publicUrl =
    values.NEXT_PUBLIC_APP_URL === undefined
      ? `http://localhost:${port}`
      : withoutTrailingSlashes(values.NEXT_PUBLIC_APP_URL.href);
  return {
    production,
    missing: missingSettings(values),
    http: {
      // Without sign-in, only this machine has access.
      host: values.HOST ?? (authDisabled ? '127.0.0.1' : '0.0.0.0'),
      port,
      opsPort: required(values.OPS_PORT),
      trustProxy: values.TRUST_PROXY,
      tls: composeTls(values),
      publicUrl,
    },
    auth: {
      disabled: authDisabled,
      oidc: composeOidc(values, publicUrl),
      sessionSecret: values.SESSION_SECRET,
      previousSessionSecret: values.SESSION_SECRET_PREVIOUS,
      compactSessions: values.SERVICE_COMPACT_SESSIONS ?? false,
      revocations: composeRevocations(values),
    },
    access: {
      adminUsers: values.SERVICE_ADMIN_USERS ?? [],
      adminGroups: values.SERVICE_ADMIN_GROUPS ?? [],
      groupsFilter: values.SERVICE_GROUPS_FILTER ?? [],
      namespaces: required(values.SERVICE_NAMESPACES),
      policyName: required(values.SERVICE_POLICY_NAME),
    },
    secrets: {
      managedOnly: values.SERVICE_MANAGED_ONLY ?? false,
      annotationPrefix: required(values.SERVICE_ANNOTATION_PREFIX),
      historyLimit: required(values.SERVICE_HISTORY_LIMIT),
      orphanTtlMs: values.SERVICE_HISTORY_ORPHAN_TTL,
    },
    lists: {
      cache: required(values.SERVICE_LIST_CACHE),
      maxSilenceMs: required(values.SERVICE_CACHE_MAX_SILENCE),
    },
    consumers: {
      enabled: values.SERVICE_CONSUMERS_ENABLED === true || values.SERVICE_RESTART_ENABLED === true,
    },
    restart: { enabled: values.SERVICE_RESTART_ENABLED ?? false },
    limits: {
      bodyBytes: required(values.SERVICE_BODY_BUDGET),
      requestsPerPerson: limit(required(values.SERVICE_RATE_LIMIT)),
      loginsPerAddress: limit(required(values.SERVICE_LOGIN_RATE_LIMIT)),
    },
    logLevel: required(values.LOG_LEVEL),
    tracing: composeTracing(values),
  };
}

function composeTls(values: VariableValues): Settings['http']['tls'] {
  const { SERVICE_TLS_CERT_FILE: certFile, SERVICE_TLS_KEY_FILE: keyFile } = values;
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

function composeRevocations(values: VariableValues): Settings['auth']['revocations'] {
  const namespace = values.POD_NAMESPACE;
  return namespace === undefined ? undefined : { namespace, name: required(values.SERVICE_REVOCATIONS_NAME) };
}

function composeOidc(values: VariableValues, publicUrl: string): OidcSettings | undefined {
  if (values.OIDC_ISSUER === undefined || values.OIDC_CLIENT_ID === undefined) return undefined;
  return {
    issuer: values.OIDC_ISSUER,
    clientId: values.OIDC_CLIENT_ID,
    clientSecret: values.OIDC_CLIENT_SECRET,
    clientAuthMethod: required(values.OIDC_CLIENT_AUTH_METHOD),
    scopes: required(values.OIDC_SCOPES),
    groupsClaim: required(values.OIDC_GROUPS_CLAIM),
    usernameClaim: required(values.OIDC_USERNAME_CLAIM),
    nameClaim: required(values.OIDC_NAME_CLAIM),
    redirectUri: values.OIDC_REDIRECT_URI?.href ?? `${publicUrl}/api/auth/callback`,
    allowHttp: values.OIDC_ALLOW_HTTP ?? false,
    allowUnverifiedEmail: values.OIDC_ALLOW_UNVERIFIED_EMAIL ?? false,
    postLogoutRedirectUri: values.OIDC_RP_LOGOUT === true ? `${publicUrl}/login` : undefined,
  };
}

function limit(value: RateLimit | 'off'): RateLimit | undefined {
  return value === 'off' ? undefined : value;
}

/** Variables with a fallback are present if there are no problems. */
function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('a variable with a fallback has no value');
  return value;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
