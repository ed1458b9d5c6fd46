/** What the forms of a Secret say. */
export const GENERATOR_WORDS = {
  open: 'Generate',
  openFor: (what: string) => `Generate a value of ${what}`,
  group: (what: string) => `Generator for ${what}`,
  kind: 'Kind',
  kinds: {
    letters: 'Letters and digits',
    symbols: 'Letters, digits and symbols',
    hex: 'Hex',
    base64: 'Base64',
    uuid: 'UUID',
  },
  characters: 'Characters',
  bytes: 'Bytes',
  use: 'Use a generated value',
};

export const EDIT_WORDS = {
  changes: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
  values: 'Values',
  metadata: 'Description and access',
  noDescription: 'no description',
  everyone: 'everyone in the namespace',
  changed: 'changed',
};

export const CHANGE_WORDS = {
  kinds: {
    added: 'added',
    changed: 'changed',
    renamed: 'renamed',
    removed: 'removed',
    same: 'same',
  },
  from: (key: string) => `from ${key}`,
};

export const ROW_WORDS = {
  list: 'Keys and values',
  key: 'Key',
  value: 'Value',
  newKey: 'the new key',
  valueOf: (what: string) => `Value of ${what}`,
  hidden: 'Hidden. Type to replace it.',
  show: (what: string) => `Show and edit the value of ${what}`,
  hide: (what: string) => `Hide the value of ${what}`,
  remove: (what: string) => `Remove ${what}`,
  undo: (what: string) => `Undo the change of ${what}`,
  restore: (key: string) => `Undo the removal of ${key}`,
  mixedEndings: 'The line endings of this value are mixed. Once you edit it, they all become line feeds.',
  endsWithBreak: 'Ends with a line break.',
  removeBreak: 'Remove it',
};

/** What the keys of the built-in types are called in forms. */
export const FIELD_WORDS = {
  username: 'User name',
  password: 'Password',
  privateKey: 'Private key',
  certificate: 'Certificate',
  caCertificate: 'CA certificate',
  tokenId: 'Token ID',
  tokenSecret: 'Token secret',
  expiration: 'Expires at',
  description: 'Description',
  forSigning: 'Usable for signing',
  forAuthentication: 'Usable for authentication',
  extraGroups: 'Extra groups',
  add: (label: string) => `Add ${label.toLowerCase()}`,
  showKeys: 'Show the raw keys',
  showForm: 'Show the form',
  noForm: 'This configuration has more than registries, users and passwords, which no form can show.',
  undoRegistries: 'Undo the changes of the registries',
};

export const REGISTRY_WORDS = {
  password: 'Password or token',
  passwordOf: (server: string) => `the password of ${server === '' ? 'the new registry' : server}`,
  show: (what: string) => `Show and edit ${what}`,
  hide: (what: string) => `Hide ${what}`,
};

export const CREATE_WORDS = {
  name: 'Name',
  nameHint: 'Lowercase letters, digits, "-" and "."; it cannot be changed later.',
  taken: 'A Secret with this name exists already.',
  invalid: (violation: string) => `The name ${violation}.`,
  create: 'Create',
  cancel: 'Cancel',
  enterName: 'Enter a name.',
  notValid: 'The name is not valid.',
};

export const SAVED_WORDS = {
  savedWithoutAccess: (name: string, version: number) =>
    `${name} is saved as version ${version}. You no longer have access to it.`,
  saved: (name: string, version: number) => `${name} is saved as version ${version}.`,
};

export const CONFLICT_CAUSE_WORDS = {
  saved: (who: string, version: number | undefined) => `${who} saved version ${version ?? '?'}`,
  kept: 'Your changes are kept.',
  outside: 'This Secret was changed outside the service',
  me: 'You saved a newer version elsewhere',
  other: 'Someone saved a newer version',
  you: 'You',
  someone: 'Someone',
  selected: 'Where only one side changed something, it is already selected.',
  onlyMetadata: 'The values can no longer be edited; only description and access are merged.',
};

export const CONFLICT_CHOICE_WORDS = {
  both: ' (both changed it)',
  before: 'Before',
  takeTheirs: 'Take theirs',
  takeMine: 'Take mine',
};

export const UNSAVABLE_VALUES_WORDS = {
  title: 'Your values, which can no longer be saved',
  discard: 'Discard these values',
  advice: 'Copy what you still need: they are only on this page, and are lost when you leave it.',
  mine: (key: string) => `${key} (mine)`,
};

export const CONFLICT_VIEW_WORDS = {
  keepNewer: 'Keep the newer version',
  backToEditing: 'Back to editing',
  open: (open: number) => `${open} still to be decided`,
  nothing: 'With these choices, there is nothing to save.',
  before: (key: string) => `${key} (before)`,
  theirs: (key: string) => `${key} (theirs)`,
  mine: (key: string) => `${key} (mine)`,
};

export const EDIT_REVIEW_WORDS = {
  title: (name: string) => `Save ${name}?`,
  createAgain: 'Create it again',
};

export const EDIT_PAGE_WORDS = {
  binary: (keys: string) =>
    `This Secret has binary values (${keys}), which editing as text would damage. You can change description and access; the values stay byte for byte.`,
  crumb: (name: string) => `Edit ${name}`,
  edit: 'Edit',
  compare: 'Compare with your changes',
  noChanges: 'No changes yet.',
  notEditable: 'The values cannot be edited here',
  immutable: 'This Secret is immutable, so its values cannot be changed.',
};
