import type { VariableName, VariableValues } from './variables.ts';

/** What sign-in needs, in the order in which an operator comes by it. */
const REQUIRED = ['NEXT_PUBLIC_APP_URL', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'SESSION_SECRET'] as const;

/**
 * The required variables that are absent, where SERVICE_WAIT_FOR_SETTINGS says to wait for them. Whether a signing key
 * that is present is usable is checked when it is used, as everywhere.
 */
export function missingSettings(values: VariableValues): readonly VariableName[] {
  if (values.SERVICE_WAIT_FOR_SETTINGS !== true || values.AUTH_DISABLED === true) return [];
  return REQUIRED.filter(
    // Outside production the public address has a default.
    (name) =>
      values[name] === undefined && !(name === 'NEXT_PUBLIC_APP_URL' && values.NODE_ENV !== 'production'),
  );
}
