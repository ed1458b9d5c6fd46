/** What the pages say of who uses a Secret, and who may. */
export const CONSUMER_WORDS = {
  table: 'Workloads that use this Secret',
  workload: 'Workload',
  uses: 'Uses it for',
  afterChange: 'After a change',
  atNextRun: 'picked up at the next run',
  restart: 'needs a restart',
  byItself: 'files follow within minutes',
  none: 'No Deployment, StatefulSet, DaemonSet or CronJob of this namespace names this Secret.',
  limits:
    'Programs that read it from the cluster themselves, Ingresses and bare pods are not found this way.',
  off: "Your administrator hasn't turned on the list of workloads that use a Secret.",
  more: (count: number) => `and ${count} more`,
  unknown: "Couldn't find out which workloads use it.",
  count: (count: number) => (count === 1 ? '1 workload uses it' : `${count} workloads use it`),
};

export const ACCESS_WORDS = {
  whoHas: 'Who has access',
  groupMembers: 'Members of the group',
  admins: 'Administrators',
  everyone: (namespace: string) => `Everyone with access to the namespace ${namespace}`,
  everyoneAtAll: 'Everyone who can sign in',
  noOwnRules: 'This Secret has no rules of its own, so those of the namespace decide.',
  why: 'Why you have access',
  throughGroup: (groups: string) => `You have access through group ${groups}.`,
  throughGroups: (groups: string) => `You have access through the groups ${groups}.`,
  throughEmail: (email: string) => `You have access as ${email}.`,
  throughNamespace: (namespace: string) =>
    `You have access through the rules of the namespace ${namespace}, or as an administrator.`,
  asAdmin: 'You have access as an administrator.',
  asAdminToo: "You're an administrator, too: no rule can keep you out.",
  open: 'Everyone who can sign in has access.',
  bySecret: 'The rules of this Secret say so.',
  byNamespace: (namespace: string) => `The rules of the namespace ${namespace} say so.`,
  yourGroups: 'Your groups',
  noGroups: "You're not in any group.",
  change: 'Change access',
  you: 'You',
};

export const NAMESPACE_RULE_WORDS = {
  title: (namespace: string) => `Rules of the namespace ${namespace}`,
  loading: 'Loading the rules of the namespace…',
  failed: "Couldn't load the rules of the namespace",
  theRules: 'the rules of the namespace',
  decide: 'They decide who has access to this Secret. Administrators set them.',
  notHere:
    'They decide who can create Secrets here, and not about this Secret, which has rules of its own. Administrators set them.',
  open: 'There are none: everyone who can sign in has access to Secrets without rules of their own.',
  hidden: "You can't see them: they don't name you or a group of yours.",
  unusable: 'They are invalid or could not be read. Until then only administrators pass them.',
  more: (count: string) => `and ${count} more`,
};

export const PROBLEM_WORDS = {
  forbiddenAdvice: 'Send this to an owner of the Secret or to an administrator:',
  request: (what: string, email: string, groups: string) =>
    `Please give me access to ${what}.\nI am ${email}, ${groups}.`,
  ofSecret: (name: string, namespace: string) => `the Secret ${name} in the namespace ${namespace}`,
  ofNamespace: (namespace: string) => `the namespace ${namespace}`,
  inGroups: (groups: string) => `in the groups ${groups}`,
  inNoGroup: 'in no group',
  copyRequest: 'Copy request',
  copied: 'Copied.',
  refused: "Your browser doesn't allow copying here.",
  requestLabel: 'Request for access',
};

export const ENTRY_WORDS = {
  notAnEmail: (users: string) => `${users}: not an email address, so it matches no one who signs in.`,
  otherSpelling: (group: string, own: string) =>
    `${group}: your group is called ${own}. Groups are compared letter by letter.`,
  emailAsGroup: (groups: string) => `${groups}: an email address. Users belong in the list of users.`,
  yours: 'Yours:',
  add: (entry: string, list: string) => `Add ${entry} to ${list.toLowerCase()}`,
};

export const ACCESS_PAGE_WORDS = {
  theRules: 'the access rules',
  reloadFailed: "Couldn't reload the access rules",
};

export const CONSUMERS_PAGE_WORDS = {
  reloadFailed: "Couldn't reload the workloads",
};
