import type { Mutant } from '../mutant.ts';

const ACTOR = 'src/access/actor.ts';
const DECISION = 'src/access/decision.ts';
const EMAIL = 'src/contract/email.ts';
const AUTHORIZER = 'src/access/authorizer.ts';
const NAMESPACE_LIST = 'src/access/namespace-list.ts';
const POLICY = 'src/access/policy.ts';
const MATCHING = 'src/contract/access-rules.ts';
const RULE_LIST = 'src/kube/annotation-values.ts';
const RULES = 'src/secrets/input.ts';
const UPDATE = 'src/secrets/update-secret.ts';
const SCOPE = 'src/access/namespace-scope.ts';

export const ACCESS: readonly Mutant[] = [
  {
    file: DECISION,
    what: 'a policy that cannot be read is open',
    find: "    case 'invalid':\n    case 'unavailable':\n",
    replace: "    case 'unavailable':\n      return { level: 'manage', by: 'open' };\n    case 'invalid':\n",
  },
  {
    file: DECISION,
    what: 'a policy that cannot be understood is open',
    find: "    case 'invalid':\n    case 'unavailable':\n",
    replace: "    case 'invalid':\n      return { level: 'manage', by: 'open' };\n    case 'unavailable':\n",
  },
  {
    file: DECISION,
    what: 'whom the rules of the Secret leave out, the policy may let in',
    find: "if (hasRules(own)) return { level, by: 'secret' };",
    replace: "if (hasRules(own) && level === 'manage') return { level, by: 'secret' };",
  },
  {
    file: DECISION,
    what: 'readers of a Secret take from those whom the namespace lets manage',
    find: "  if (inNamespace.level === 'manage') return inNamespace;\n",
    replace: '',
  },
  {
    file: DECISION,
    what: 'the writers and readers of a namespace count for Secrets with readers of their own',
    find: "if (inNamespace.level === 'manage') return inNamespace;",
    replace: "if (inNamespace.level !== 'none') return inNamespace;",
  },
  {
    file: DECISION,
    what: 'what readers may not do is denied while the policy, which might allow it, cannot be read',
    find: 'return { level, by, ...(undecided === undefined ? {} : { undecided }) };',
    replace: 'return { level, by };',
  },
  {
    file: UPDATE,
    what: 'whoever may write may change the rules',
    find: 'await access.require(levelOfUpdate(live.managed, metadata), deadline)',
    replace: "await access.require('write', deadline)",
  },
  {
    file: UPDATE,
    what: 'a list that is sent as it is stored is a change',
    find: 'entry.trim() !== stored[index]',
    replace: 'entry !== ` ${stored[index]}`',
  },
  {
    file: AUTHORIZER,
    what: 'what is certain without the policy waits for it',
    find: 'if (!includesLevel(decision.level, level) && decision.undecided',
    replace: "if (decision.level !== 'manage' && decision.undecided",
  },
  {
    file: DECISION,
    what: 'a policy whose lists are both empty is closed',
    find: "      if (!hasRules(policy.rules)) return { level: 'manage', by: 'open' };\n",
    replace: '',
  },
  {
    file: DECISION,
    what: 'the rules of a Secret stand above an admin',
    find: 'if (admin || !hasAnyList(own)) return inNamespace;',
    replace: 'if (!hasAnyList(own)) return inNamespace;',
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
    find: '(list.live ? undefined : policyCache',
    replace: '(policyCache',
  },
  {
    file: AUTHORIZER,
    what: 'whoever may create in a namespace sees what the rules of Secrets keep from them',
    find: 'isVisible: (own, name) => includesLevel(decideWithin',
    replace:
      "isVisible: (own, name) => includesLevel(inNamespace.level, 'write') || includesLevel(decideWithin",
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
    find: "{ state: 'unavailable' }",
    replace: "{ state: 'absent' }",
  },
  {
    file: AUTHORIZER,
    what: 'a scope is not required',
    find: 'requireScope: scope.require,',
    replace: 'requireScope: (namespace: string) => namespace as ReturnType<typeof scope.require>,',
  },
  {
    file: POLICY,
    what: 'a policy that could not be read counts as absent',
    find: "return { state: 'unavailable', retryAfterSeconds: error.retryAfterSeconds };",
    replace: "return { state: 'absent' };",
  },
  {
    file: POLICY,
    what: 'a late answer counts as newer than what came while it was under way',
    find:
      '    const since = startRead();\n' +
      '    return observedPolicy(await policies.read(namespace, deadline), since);\n',
    replace: '    return observedPolicy(await policies.read(namespace, deadline), startRead());\n',
  },
  {
    file: POLICY,
    what: 'memory does not get what was read live',
    find: '    policyCache?.noteRead(namespace, { ...observed, reached });\n',
    replace: '',
  },
  {
    file: POLICY,
    what: 'a policy with readers alone is open',
    find: "  if (!hasRules(rules) && hasAnyList(rules)) return { state: 'invalid', key: 'allowedGroups' };\n",
    replace: '',
  },
  {
    file: POLICY,
    what: 'a policy that is no JSON has empty lists',
    find: 'const parsed = jsonOrUndefined(text);',
    replace: 'const parsed = jsonOrUndefined(text) ?? [];',
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
    find: " && parsed.every((entry) => entry.trim() !== '')",
    replace: '',
  },
  {
    file: POLICY,
    what: 'one good entry makes a policy valid',
    find: "parsed.every((entry) => entry.trim() !== '') ? parsed",
    replace: "(parsed.length === 0 || parsed.some((entry) => entry.trim() !== '')) ? parsed",
  },
  {
    file: MATCHING,
    what: 'emails in rules are compared by plain lowercasing',
    find: 'emailKey(listed) === email',
    replace: 'listed.toLowerCase() === email',
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
