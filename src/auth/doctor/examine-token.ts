import { decodeJwt } from 'jose';
import type { MachineToken } from '../../access/actor.ts';
import type { MachineBinding } from '../../access/machine-bindings.ts';
import { parsePolicy, type StoredPolicy } from '../../access/policy.ts';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { claimsMatch, type TokenClaims } from '../../contract/token-claims.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { TOKEN_REFUSALS } from '../machines/verify-token.ts';
import { check, fix, note, ok, seen, type CheckResult } from './check-result.ts';

/**
 * Whether a machine's token is accepted, and what it may do. Names issuers, claims and bindings; never the value
 * of a claim.
 * @param authenticate as for a request with the token
 * @param policies of the namespaces of the service
 */
export async function examineToken(
  token: string,
  issuers: readonly TrustedIssuer[],
  authenticate: () => Promise<MachineToken>,
  policies: () => Promise<readonly StoredPolicy[]>,
): Promise<readonly CheckResult[]> {
  const claims = claimsOf(token);
  if (claims === undefined)
    return [fix('token', 'is no JSON Web Token: three parts, the second of them JSON')];
  const results = [seen('claims', Object.keys(claims).toSorted().join(', '))];
  const issuer = issuers.find((trusted) => trusted.issuer === claims['iss']);
  if (issuer === undefined) {
    const names = issuers.map(({ name }) => name).join(', ');
    const text = `It is none of those trusted (${names}): set SERVICE_TRUSTED_ISSUERS, to the letter.`;
    return [...results, fix('issuer', text)];
  }
  const { name, audience, requiredClaims } = issuer;
  const isAudience = [claims['aud']].flat().includes(audience);
  results.push(
    ok('issuer', `${name}, of SERVICE_TRUSTED_ISSUERS`),
    check('audience', {
      fix: !isAudience && `Request the token with the audience of ${name}.`,
      ok: `that of ${name}`,
    }),
  );
  for (const wanted of requiredClaims) {
    const isOther = !claimsMatch(claims, [wanted]);
    const other = `${wanted[0]} is missing, or is no text of requiredClaims`;
    results.push(check('required claim', { fix: isOther && other, ok: wanted[0] }));
  }
  try {
    const machine = await authenticate();
    results.push(ok('token', 'is accepted'));
    return [...results, ...(await examineBindings(machine, issuers, policies))];
  } catch (error) {
    return [...results, refused(error)];
  }
}

function claimsOf(token: string): TokenClaims | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined; // The message may quote the token.
  }
}

function refused(error: unknown): CheckResult {
  if (!isServiceError(error)) throw error;
  const { reason = error.code } = error;
  const refusal = new Map<string, string>(Object.entries(TOKEN_REFUSALS)).get(reason);
  const unchecked = 'It cannot be checked now: its issuer does not answer, or not with its keys.';
  return fix('token', `(${reason}) ${refusal ?? unchecked}`);
}

async function examineBindings(
  machine: MachineToken,
  issuers: readonly TrustedIssuer[],
  policies: () => Promise<readonly StoredPolicy[]>,
): Promise<readonly CheckResult[]> {
  try {
    const results = (await policies()).flatMap((policy) => bindingsOf(policy, machine, issuers));
    const matches = results.some(({ verdict }) => verdict === 'ok');
    return matches ? results : [...results, fix('bindings', 'None matches: the token may do nothing.')];
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const { reason = error.code } = error;
    return [fix('bindings', `(${reason}) The policies of the namespaces cannot be read.`)];
  }
}

function bindingsOf(policy: StoredPolicy, machine: MachineToken, issuers: readonly TrustedIssuer[]) {
  const parsed = parsePolicy(policy);
  if (parsed.state === 'invalid') return [fix(policy.namespace, `The policy is malformed: ${parsed.key}`)];
  if (parsed.state !== 'rules' || parsed.machines === undefined) return [];
  const { machines } = parsed;
  if (machines.kind === 'malformed') return [fix(policy.namespace, `machines ${machines.problem}`)];
  return machines.bindings.map((binding) => examineBinding(binding, machine, issuers));
}

function examineBinding(binding: MachineBinding, machine: MachineToken, issuers: readonly TrustedIssuer[]) {
  const { identity, level, secrets, issuer } = binding;
  if (!issuers.some(({ name }) => name === issuer))
    return note(identity, `names an issuer that is not trusted: ${issuer}`);
  if (issuer !== machine.issuer) return note(identity, `is for the issuer ${issuer}`);
  const other = binding.claims.filter((wanted) => !claimsMatch(machine.claims, [wanted]));
  if (other.length > 0) return note(identity, `does not match: ${other.map(([claim]) => claim).join(', ')}`);
  const named = secrets === '*' ? 'every Secret without lists of its own' : secrets.join(', ');
  return ok(identity, `${level}: ${named}`);
}
