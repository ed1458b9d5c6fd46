/** What copying a Secret says. */
export const COPY_WORDS = {
  what: 'the Secret',
  title: (name: string) => `Copy ${name}`,
  crumb: 'Copy',
  namespaces: 'Namespaces',
  namespace: 'To namespace',
  name: 'Name of the copy',
  same: 'Choose another name or namespace.',
  invalid: (violation: string) => `The name ${violation}.`,
  taken: 'A Secret with this name exists already.',
  withDescription: 'Copy the description',
  withRules: 'Copy the access rules',
  review: 'Review and copy',
  cancel: 'Cancel',
  confirmTitle: (name: string, target: string) => `Copy ${name} to ${target}?`,
  confirm: 'Copy',
  noKeys: 'It has no keys.',
  failures: { unknown: 'It may or may not have been copied', failed: "Couldn't copy the Secret" },
  notPossible: 'This Secret cannot be copied',
  token: 'The cluster makes service account tokens itself, one for each service account.',
  binary: (keys: string) =>
    `It has binary values (${keys}), which this service cannot write. Copy it with kubectl instead.`,
  nowhere: 'You cannot create Secrets in any namespace. Contact an administrator.',
  back: 'Back to the Secret',
};

export const COPY_PAGE_WORDS = {};
