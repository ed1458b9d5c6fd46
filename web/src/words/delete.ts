/** What deleting a Secret says. */
export const DELETE_DIALOG_WORDS = {
  title: (name: string) => `Delete ${name}?`,
  confirm: (name: string) => `Type ${name} to confirm`,
  replaced: 'Another Secret now has this name',
  replacedAdvice: 'The one that you opened no longer exists. The new one was not changed.',
  pending: 'Deletion started, waiting for finalizers',
  pendingAdvice: 'The Secret stays until its finalizers are removed.',
  changed: 'Someone changed this Secret since you opened it',
  changedAdvice:
    'It was not deleted, so that you can look at the change first. If you chose to delete it permanently, some of its history may already be deleted.',
  failed: "Couldn't delete the Secret",
  unknown: 'It may or may not have been deleted',
  unknownAdvice: 'You can safely try again: only the version that you opened can be deleted.',
};
