import type { Mutant } from '../mutant.ts';

const ACTOR = 'src/access/actor.ts';
const DECISION = 'src/access/decision.ts';
const EMAIL = 'src/contract/email.ts';
const AUTHORIZER = 'src/access/authorizer.ts';
const NAMESPACE_LIST = 'src/access/namespace-list.ts';
const LIVE_POLICIES = 'src/access/live-policies.ts';
const POLICY = 'src/access/policy.ts';
const MATCHING = 'src/contract/access-rules.ts';
const RULE_LIST = 'src/kube/rule-list.ts';
const RULES = 'src/access/access-rules.ts';
const SCOPE = 'src/access/namespace-scope.ts';

export const ACCESS: readonly Mutant[] = [
  {
    file: DECISION,
    what: 'a policy that cannot be read is open',
    find: "    case 'invalid':\n    case 'unavailable':\n",
    replace: "    case 'unavailable':\n      return { allowed: true, by: 'open' };\n    case 'invalid':\n",
  },
  {
    file: DECISION,
    what: 'a policy that cannot be understood is open',
    find: "    case 'invalid':\n    case 'unavailable':\n",
    replace: "    case 'invalid':\n      return { allowed: true, by: 'open' };\n    case 'unavailable':\n",
  },
  {
    file: DECISION,
    what: 'whom the rules of the Secret leave out, the policy may let in',
    find: "if (hasRules(own)) return { allowed: matchesRules(actor.user, own), by: 'acl' };",
    replace: "if (hasRules(own) && matchesRules(actor.user, own)) return { allowed: true, by: 'acl' };",
  },
  {
    file: DECISION,
    what: 'a policy whose lists are both empty is closed',
    find: "      if (!hasRules(policy.rules)) return { allowed: true, by: 'open' };\n",
    replace: '',
  },
  {
    file: DECISION,
    what: 'the rules of a Secret stand above an admin',
    find: "  if (actor.admin) return { allowed: true, by: 'admin' };\n",
    replace: "  if (actor.admin && !hasRules(own)) return { allowed: true, by: 'admin' };\n",
  },
  {
    file: AUTHORIZER,
    what: 'a list takes a policy from memory that may be older than its Secrets',
    find: 'policyCache?.state(namespace, list.newest)',
    replace: 'policyCache?.state(namespace)',
  },
  {
    file: AUTHORIZER,
    what: 'a live list takes its policy from memory',
    find: 'const kept = list.live ? undefined : policyCache',
    replace: 'const kept = policyCache',
  },
  {
    file: AUTHORIZER,
    what: 'whoever may create in a namespace sees what the rules of Secrets keep from them',
    find: "hasRules(own) ? decide(actor, own, 'notRead').allowed === true : creation.allowed",
    replace: "creation.allowed || (hasRules(own) && decide(actor, own, 'notRead').allowed === true)",
  },
  {
    file: NAMESPACE_LIST,
    what: 'namespaces outside the scope are listed',
    find: 'names.filter((name) => scope.contains(name)).sort()',
    replace: '[...names].sort()',
  },
  {
    file: NAMESPACE_LIST,
    what: 'namespaces whose policies cannot be read are listed as open',
    find: "read === undefined ? 'unavailable' : 'absent'",
    replace: "read === undefined ? 'absent' : 'absent'",
  },
  {
    file: AUTHORIZER,
    what: 'a scope is not required',
    find: 'requireScope: (namespace) => scope.require(namespace),',
    replace: 'requireScope: (namespace) => namespace as ReturnType<typeof scope.require>,',
  },
  {
    file: LIVE_POLICIES,
    what: 'a policy that could not be read counts as absent',
    find: 'if (isServiceError(error)) return unavailable(error);',
    replace: "if (isServiceError(error)) return { state: 'absent' };",
  },
  {
    file: LIVE_POLICIES,
    what: 'a late answer counts as newer than what came while it was under way',
    find:
      '    const since = policyCache?.startRead() ?? { sequence: 0 };\n' +
      '    const stored = await policies.read(namespace, deadline);\n',
    replace:
      '    const stored = await policies.read(namespace, deadline);\n' +
      '    const since = policyCache?.startRead() ?? { sequence: 0 };\n',
  },
  {
    file: LIVE_POLICIES,
    what: 'memory does not get what was read live',
    find: '      policyCache?.noteRead(namespace, { ...observed, reached });\n',
    replace: '',
  },
  {
    file: POLICY,
    what: 'a policy that is no JSON has empty lists',
    find: 'return undefined; // The parser',
    replace: 'return []; // The parser',
  },
  {
    file: POLICY,
    what: 'a list that is stored as a binary value counts as absent',
    find: '  if (stored.binaryKeys.includes(key)) return undefined;\n',
    replace: '',
  },
  {
    file: POLICY,
    what: 'blank entries of a policy are accepted',
    find: "typeof entry === 'string' && entry.trim() !== ''",
    replace: "typeof entry === 'string'",
  },
  {
    file: POLICY,
    what: 'one good entry makes a policy valid',
    find: 'entries.every(isNonblankString) ? entries : undefined',
    replace:
      'entries.length === 0 || entries.some(isNonblankString) ? entries.filter(isNonblankString) : undefined',
  },
  {
    file: MATCHING,
    what: 'emails in rules are compared by plain lowercasing',
    find: 'emailKey(allowed) === email',
    replace: 'allowed.toLowerCase() === email',
  },
  {
    file: MATCHING,
    what: 'the email of the user is compared as the provider spells it',
    find: 'const email = emailKey(user.email);',
    replace: 'const { email } = user;',
  },
  {
    file: RULE_LIST,
    what: 'a rule list that holds only commas has entries',
    find: "\n    .filter((entry) => entry !== '');",
    replace: ';',
  },
  {
    file: RULES,
    what: 'entries are stored with their surrounding whitespace',
    find: 'return entries.map((entry) => entry.trim());',
    replace: 'return entries;',
  },
  {
    file: RULES,
    what: 'a list of exactly 256 entries is refused',
    find: 'entries.length > MAX_RULE_ENTRIES',
    replace: 'entries.length >= MAX_RULE_ENTRIES',
  },
  {
    file: ACTOR,
    what: 'an admin whose email is configured in another case is none',
    find: 'emailKey(candidate) === email',
    replace: 'candidate === email',
  },
  {
    file: EMAIL,
    what: 'emails are compared by plain lowercasing, in which two people become one',
    find: '  if (!BEYOND_ASCII.test(email)) return email.toLowerCase();\n',
    replace: "  if (email !== '') return email.toLowerCase();\n",
  },
  {
    file: EMAIL,
    what: 'an email with characters that no one sees is an identity',
    find: ' || UNSEEN.test(email)) return false;',
    replace: ') return false;',
  },
  {
    file: SCOPE,
    what: 'a system namespace that is named stays outside',
    find: 'SYSTEM_NAMESPACES.filter((namespace) => !listed.has(namespace))',
    replace: 'SYSTEM_NAMESPACES',
  },
  {
    file: SCOPE,
    what: 'a wildcard stands for system namespaces, too',
    find: '? (namespace: string) => !without.includes(namespace)',
    replace: '? (namespace: string) => namespace.length > 0',
  },
];
