import { decodeJwt } from 'jose';
import type { MachineToken } from '../../access/actor.ts';
import type { MachineBinding } from '../../access/machine-bindings.ts';
import { parsePolicy, type StoredPolicy } from '../../access/policy.ts';
import type { TrustedIssuer } from '../../config/trusted-issuers.ts';
import { claimsMatch, type TokenClaims } from '../../contract/token-claims.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { TOKEN_REFUSALS } from '../machines/verify-token.ts';
import { check, fix, note, ok, seen, type CheckResult } from './check-result.ts';

interface TokenExamination {
  readonly token: string;
  readonly issuers: readonly TrustedIssuer[];
  /** As for a request with the token. */
  readonly authenticate: (token: string) => Promise<MachineToken>;
  /** Of the namespaces of the service. */
  readonly policies: () => Promise<readonly StoredPolicy[]>;
}

/**
 * Whether a machine's token is accepted, and what it may do. Names issuers, claims and bindings; never the value
 * of a claim.
 */
export async function examineToken(examination: TokenExamination): Promise<readonly CheckResult[]> {
  const { token, issuers } = examination;
  const claims = claimsOf(token);
  if (claims === undefined)
    return [fix('token', 'is no JSON Web Token: three parts, the second of them JSON')];
  const facts = seen('claims', Object.keys(claims).toSorted().join(', '));
  const issuer = issuers.find((trusted) => trusted.issuer === claims['iss']);
  if (issuer === undefined) return [facts, unknownIssuer(issuers)];
  const checked = [
    facts,
    ok('issuer', `${issuer.name}, of SERVICE_TRUSTED_ISSUERS`),
    check('audience', {
      fix:
        ![claims['aud']].flat().includes(issuer.audience) &&
        `Request the token with the audience of ${issuer.name} in SERVICE_TRUSTED_ISSUERS.`,
      ok: `that of ${issuer.name}`,
    }),
    ...issuer.requiredClaims.map((wanted) =>
      check('required claim', {
        fix: !claimsMatch(claims, [wanted]) && `${wanted[0]} is missing, or is no text of requiredClaims`,
        ok: wanted[0],
      }),
    ),
  ];
  try {
    const machine = await examination.authenticate(token);
    return [...checked, ok('token', 'is accepted'), ...(await examineBindings(machine, examination))];
  } catch (error) {
    return [...checked, refused(error)];
  }
}

function claimsOf(token: string): TokenClaims | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined; // The message may quote the token.
  }
}

function unknownIssuer(issuers: readonly TrustedIssuer[]): CheckResult {
  const text =
    issuers.length === 0
      ? 'No issuer is trusted: set SERVICE_TRUSTED_ISSUERS.'
      : `\`iss\` is none of SERVICE_TRUSTED_ISSUERS (${issuers.map(({ name }) => name).join(', ')}). It must be equal to the letter.`;
  return fix('issuer', text);
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
  { policies, issuers }: TokenExamination,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  try {
    for (const policy of await policies()) results.push(...bindingsOf(policy, machine, issuers));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return [
      fix('bindings', `(${error.reason ?? error.code}) The policies of the namespaces cannot be read.`),
    ];
  }
  return results.some(({ verdict }) => verdict === 'ok')
    ? results
    : [...results, fix('bindings', 'None matches: the token may do nothing.')];
}

function bindingsOf(
  policy: StoredPolicy,
  machine: MachineToken,
  issuers: readonly TrustedIssuer[],
): readonly CheckResult[] {
  const parsed = parsePolicy(policy);
  if (parsed.state === 'invalid') return [fix(policy.namespace, `The policy is malformed: ${parsed.key}`)];
  if (parsed.state !== 'rules' || parsed.machines === undefined) return [];
  const { machines } = parsed;
  if (machines.kind === 'malformed') return [fix(policy.namespace, `machines ${machines.problem}`)];
  return machines.bindings.map((binding) => examineBinding(binding, machine, issuers));
}

function examineBinding(
  binding: MachineBinding,
  { issuer, claims }: MachineToken,
  issuers: readonly TrustedIssuer[],
): CheckResult {
  const { identity, level, secrets } = binding;
  if (!issuers.some(({ name }) => name === binding.issuer))
    return note(identity, `names an issuer that is not trusted: ${binding.issuer}`);
  if (binding.issuer !== issuer) return note(identity, `is for the issuer ${binding.issuer}`);
  const other = binding.claims.filter((wanted) => !claimsMatch(claims, [wanted])).map(([claim]) => claim);
  if (other.length > 0) return note(identity, `does not match: ${other.join(', ')}`);
  const named = secrets === '*' ? 'every Secret without lists of its own' : secrets.join(', ');
  return ok(identity, `${level}: ${named}`);
}
