import type { Mutant } from '../mutant.ts';

const VERIFY = 'src/auth/machines/verify-token.ts';
const KEYS = 'src/auth/machines/issuer-keys.ts';
const MACHINES_FILE = 'src/auth/machines/machines.ts';
const BINDINGS = 'src/access/machine-bindings.ts';
const CLAIMS = 'src/contract/token-claims.ts';
const DECISION = 'src/access/decision.ts';

export const MACHINES: readonly Mutant[] = [
  {
    file: VERIFY,
    what: 'a token signed with a shared secret is verified as well',
    find: "  ...['ES256',",
    replace: "  ...['HS256', 'HS512'],\n  ...['ES256',",
  },
  { file: VERIFY, what: 'a token may bring its own key', find: "'jku', 'jwk', ", replace: "'jku', " },
  { file: VERIFY, what: 'a token may name where its key is', find: "['jku', ", replace: '[' },
  { file: VERIFY, what: 'a token may name extensions', find: ", 'crit']", replace: ']' },
  {
    file: VERIFY,
    what: 'an issuer counts in any case',
    find: 'known.issuer === iss',
    replace: 'known.issuer.toLowerCase() === String(iss).toLowerCase()',
  },
  {
    file: VERIFY,
    what: 'a token for another audience counts',
    find: '    audience,\n    requiredClaims',
    replace: '    requiredClaims',
  },
  { file: VERIFY, what: 'a token without an end counts', find: "['exp', 'iat']", replace: "['iat']" },
  {
    file: VERIFY,
    what: 'a token from the future counts',
    find: '    maxTokenAge: MAX_LIFETIME_SECONDS,\n',
    replace: '',
  },
  {
    file: VERIFY,
    what: 'a token may be valid for a year',
    find: 'if (!(exp - iat <= MAX_LIFETIME_SECONDS))',
    replace: 'if (exp - iat < 0)',
  },
  {
    file: VERIFY,
    what: 'what every token must have is not looked at',
    find: "  if (!claimsMatch(payload, requiredClaims)) throw refused('requiredClaims');\n",
    replace: '',
  },
  {
    file: VERIFY,
    what: 'the cluster may have reviewed the token for others',
    find: "  if (!reviewed.audiences.includes(issuer.audience)) throw refused('audience');\n",
    replace: '',
  },
  {
    file: VERIFY,
    what: 'the claims may be of another account than the reviewed one',
    find: " || verified.claims['sub'] !== username",
    replace: '',
  },
  {
    file: MACHINES_FILE,
    what: 'a review counts as long as the token',
    find: ' && elapsed() < before.untilMs',
    replace: '',
  },
  {
    file: KEYS,
    what: 'the last keys hold forever while the issuer is away',
    find: ' && ageMs() < MAX_AGE_MS ? keys',
    replace: ' ? keys',
  },
  {
    file: KEYS,
    what: 'every unknown key causes a fetch',
    find: 'running === undefined && elapsed() - begunMs >= FETCH_INTERVAL_MS',
    replace: 'running === undefined',
  },
  {
    file: KEYS,
    what: 'a key is unknown while the issuer cannot be reached',
    find: 'return hasFailed ? unavailable() : Promise.reject(error);',
    replace: 'return Promise.reject(error);',
  },
  {
    file: KEYS,
    what: 'the discovery document may be of another issuer',
    find: 'announced === issuer && ',
    replace: '',
  },
  {
    file: MACHINES_FILE,
    what: 'a verified token counts after its end',
    find: ' && now() < before.expiresMs',
    replace: '',
  },
  {
    file: BINDINGS,
    what: 'a binding counts for tokens of any issuer',
    find: 'binding.issuer === issuer && ',
    replace: '',
  },
  {
    file: BINDINGS,
    what: 'a binding that was ended early counts',
    find: ' && !isEnded(binding.identity)',
    replace: '',
  },
  {
    file: BINDINGS,
    what: '"*" covers Secrets with lists of their own',
    find: '!hasAnyList(own)',
    replace: 'true',
  },
  {
    file: CLAIMS,
    what: 'one claim of a binding is enough',
    find: 'wanted.every(([claim',
    replace: 'wanted.some(([claim',
  },
  {
    file: CLAIMS,
    what: 'a claim that is a list matches a text in it',
    find: "return typeof value === 'string' && texts.includes(value);",
    replace: 'return [value].flat().some((one) => texts.includes(String(one)));',
  },
  {
    file: CLAIMS,
    what: 'a claim of the prototype counts',
    find: 'Object.hasOwn(claims, claim) ? claims[claim] : undefined',
    replace: 'claims[claim]',
    survives: 'no member that a JSON object inherits is a text',
  },
  {
    file: DECISION,
    what: 'a machine has what is open to everyone',
    find: '  if (machine !== undefined) return decideByBindings(machine, policy);\n',
    replace:
      "  if (machine !== undefined && policy.state !== 'absent') return decideByBindings(machine, policy);\n",
  },
  {
    file: DECISION,
    what: 'malformed bindings bind nothing, as if they could be read',
    find:
      "  if (machines?.kind === 'malformed') return undecidedBy('invalid');\n" +
      '  const matching = matchingBindings(machine, machines?.bindings ?? []);\n',
    replace:
      "  const matching = matchingBindings(machine, machines?.kind === 'bindings' ? machines.bindings : []);\n",
  },
];
