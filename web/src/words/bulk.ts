/** What changing several Secrets at once says. */
const secrets = (count: number): string => (count === 1 ? '1 Secret' : `${count} Secrets`);

export const BULK_WORDS = {
  cancel: 'Cancel',
  close: 'Close',
  stop: 'Stop',
  results: 'Results',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  moreNames: (count: number) => `and ${count} more`,
};

export const BULK_DELETE_WORDS = {
  title: (names: readonly string[]) => `Delete ${names.length === 1 ? names[0] : secrets(names.length)}?`,
  warning:
    'Workloads that use them may fail when they start again. Under "Deleted" they can be restored, all but service account tokens.',
  confirmWith: (names: readonly string[]) => (names.length === 1 ? (names[0] ?? '') : 'delete'),
  confirm: (word: string) => `Type ${word} to confirm`,
  delete: 'Delete',
};

export const BULK_ACCESS_WORDS = {
  title: (count: number) => `Change access to ${secrets(count)}`,
  mode: 'What to do',
  add: 'Add to their rules',
  remove: 'Remove from their rules',
  replace: 'Replace their rules',
  groups: 'Groups',
  groupsHint: 'team-a',
  users: 'Users',
  usersHint: 'ada@example.com',
  closes: (count: number) =>
    `${secrets(count)} had no rules. From now on, only those whom the new ones name have access.`,
  opens: (count: number) => `${secrets(count)} will have no rules. Those of the namespace apply then.`,
  excludes: (count: number) =>
    `You may lose access to ${secrets(count)}: the rules name neither you nor any of your groups.`,
  nothing: 'That changes nothing.',
  save: (count: number) => `Change ${secrets(count)}`,
};

/** One line for each Secret. */
export const OUTCOME_WORDS = {
  waiting: 'Waiting',
  deleted: 'Deleted',
  deletionPending: 'Deletion started, waiting for finalizers',
  saved: 'Changed',
  gone: 'No longer exists',
  hidden: 'Changed or deleted: you can no longer see it',
  same: 'Not changed',
  changed: 'Not changed: someone changed it since the list was read',
  replaced: 'Not changed: another Secret now has this name',
  unknown: 'It may or may not have been changed. Refresh the list, then try again.',
  notTried: 'Not tried',
};
