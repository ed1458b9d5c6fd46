/** What the pages say of Secrets that were deleted and can be restored. */
export const DELETED_WORDS = {
  link: 'Deleted',
  what: 'the deleted Secrets',
  refresh: 'Refresh the deleted Secrets',
  refreshFailed: "Couldn't refresh the deleted Secrets",
  none: 'No deleted Secrets',
  noneAdvice: 'What is deleted here can be restored from this page.',
  values: 'The values of these Secrets are still in the cluster',
  valuesUntil: (someExpire: boolean) =>
    someExpire
      ? 'They stay until the time under “Kept until”, or until someone deletes them permanently.'
      : 'They stay until someone deletes them permanently.',
  afterRestore: 'A restored Secret begins at version 1. Its former history stays here.',
  filter: 'Filter by name',
  shown: (shown: number, all: number) => `${shown} of ${all}`,
  table: 'Deleted Secrets',
  name: 'Name',
  deleted: 'Deleted',
  keptUntil: 'Kept until',
  forEver: 'deleted permanently',
  actions: 'Actions',
  keys: (count: number) => (count === 1 ? '1 key' : `${count} keys`),
  restore: 'Restore',
  restoreName: (name: string) => `Restore ${name}`,
  restoreAs: 'Restore as…',
  restoreAsName: (name: string) => `Restore ${name} as another Secret`,
  remove: 'Delete permanently',
  removeName: (name: string) => `Delete ${name} permanently`,
  cancel: 'Cancel',
};

export const UNDELETE_WORDS = {
  undo: 'Undo',
  showDeleted: 'Show deleted',
  show: (name: string) => `Show ${name}`,
  restored: (name: string) => `${name} is restored.`,
  asTitle: (name: string) => `Restore ${name} as`,
  newName: 'New name',
  nameHint: 'Lowercase letters, digits, "-" and ".".',
  nameProblem: (violation: string) => `The name ${violation}.`,
  failed: (name: string) => `Couldn't restore ${name}`,
  advice: {
    taken: 'Restore it under another name.',
    gone: 'It was deleted permanently, or is no longer kept.',
    notRestored: 'Nothing was restored. Try again.',
    unknown: 'It may or may not have been restored. Look at the list before you try again.',
    refused: 'Nothing was restored.',
  },
};

export const REMOVE_WORDS = {
  title: (name: string) => `Delete ${name} permanently?`,
  consequence: 'Its values and its whole history are removed from the cluster. This cannot be undone.',
  confirm: (name: string) => `Type ${name} to confirm`,
  removed: (name: string) => `${name} is deleted permanently.`,
  failed: (name: string) => `Couldn't delete ${name} permanently`,
  advice: {
    kept: 'Some of its versions may be removed already. You can safely try again.',
    unknown: 'It may or may not have been removed. You can safely try again.',
    refused: 'Nothing was removed.',
  },
};

export const DELETE_WORDS = {
  consumers: 'Workloads that use this Secret may fail when they start again.',
  archived:
    'You can restore it under “Deleted”. Until it is deleted there permanently, or expires, its values stay in the cluster.',
  token: 'A service account token cannot be restored.',
  permanently: 'Delete permanently, with its history',
  permanentlyHint: 'Nothing of it can be restored.',
  deleted: (name: string) => `${name} is deleted.`,
  removed: (name: string) => `${name} and its history are deleted permanently.`,
  pending: (name: string) => `${name} is being deleted: waiting for finalizers.`,
  gone: (name: string) => `${name} no longer exists.`,
};

export const DELETED_PAGE_WORDS = {
  showSecrets: (namespace: string) => `Show Secrets in ${namespace}`,
};
