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
  namespaceRules:
    'This Secret has no rules of its own, so those of the namespace decide. Administrators set them.',
  why: 'Why you have access',
  throughGroup: (groups: string) => `You have access through group ${groups}.`,
  throughGroups: (groups: string) => `You have access through the groups ${groups}.`,
  throughEmail: (email: string) => `You have access as ${email}.`,
  throughNamespace: (namespace: string) =>
    `You have access through the rules of the namespace ${namespace}, or as an administrator.`,
  asAdmin: 'You have access as an administrator.',
  yourGroups: 'Your groups',
  noGroups: "You're not in any group.",
  change: 'Change access',
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
