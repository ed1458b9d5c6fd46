/** What creating and editing share. */
export const ACCESS_CHIPS_WORDS = {
  remove: (entry: string) => `Remove ${entry}`,
};

export const ACCESS_EDITOR_WORDS = {
  add: (what: string) => `Add to ${what}`,
};

export const LEAVE_GUARD_WORDS = {
  stay: 'Stay',
  saving: 'Saving…',
  savingBody: "The save was sent and can't be stopped. This page continues as soon as it's done.",
  leaveTitle: 'Leave without saving?',
  leaveBody: 'Your changes will be lost.',
  leave: 'Leave',
};

export const LOCKOUT_WARNING_WORDS = {
  certain: {
    title: 'You will lose access',
    explain:
      "The rules don't include you or any of your groups, so you won't be able to see or change this Secret.",
  },
  /** Whether they are an administrator could not be found out. */
  possible: {
    title: 'You may lose access',
    explain:
      "The rules don't include you or any of your groups. Unless you're an administrator of this service, you won't be able to see or change this Secret.",
  },
};

export const METADATA_EDITOR_WORDS = {
  notValid: 'An access rule is not valid: correct or remove it.',
  groupHint: 'exact name of a group',
  userHint: 'email address',
  explain:
    'Leave both lists empty to give access to everyone with access to the namespace. If the rules do not include you, you lose access.',
};

export const SAVE_FAILURE_WORDS = {
  unknown: 'It may or may not have been saved',
  failed: "Couldn't save",
  tryAgain: 'You can safely try again: a newer version is never overwritten.',
};

export const REGISTRY_LIST_WORDS = {
  noAddress: 'The address of the registry is missing.',
  duplicate: 'There is another registry with this address.',
};

export const DOCKER_FORM_WORDS = {
  registryNumber: (number: number) => `Registry ${number}`,
  registry: 'Registry',
  userName: 'User name',
  removeRegistry: (number: number) => `Remove registry ${number}`,
  addAnotherRegistry: 'Add another registry',
  shownHere: (most: string) => `${most} They are shown here.`,
};

export const DOTENV_PREVIEW_WORDS = {
  notAKey: 'not a key: left out',
  replaces: 'replaces the value',
  preview: 'Preview',
  effect: 'Effect',
  more: (length: number) => `and ${length} more`,
};

export const DOTENV_WORDS = {
  tooLarge: (most: string) => `Not imported: a text can have at most ${most} here.`,
  oneAtATime: (name: string) => `Only ${name} was read: one file at a time.`,
};

export const DOTENV_DIALOG_WORDS = {
  title: 'Import .env or JSON',
  text: 'Text of the .env or JSON file',
  leftOut: (keys: string) => `Left out, since their values are not text: ${keys}.`,
  file: '.env or JSON file',
  notUnderstood: (lines: string, more: number) =>
    `Not understood: line ${lines}${more > 0 ? ` and ${more} more` : ''}.`,
  importKeys: (count: number) => (count === 1 ? 'Import 1 key' : `Import ${count} keys`),
  tooLarge: (text: string, text2: string) => `${text}, ${text2} lines: too large for a text field.`,
  hint: 'KEY=value',
  chooseFile: 'Choose a file',
  clear: 'Clear',
  dropHere: 'The file can be dropped here, too.',
};

export const LARGE_VALUE_WORDS = {
  noLineEndings: 'no line endings',
  lineEndingsLf: 'line endings LF',
  lineEndingsCrlf: 'line endings CRLF',
  mixedLineEndings: 'mixed line endings',
  actionOf: (action: string, what: string) => `${action} the value of ${what}`,
  beginningOf: (what: string) => `Beginning of the value of ${what}`,
  show: 'Show',
  showBeginning: 'Show the beginning',
  replaceByFile: 'Replace by a file',
  fileFor: (what: string) => `File to replace the value of ${what}`,
  clear: 'Clear',
  editAnyway: 'Edit anyway',
  lines: (count: string) => (count === '1' ? '1 line' : `${count} lines`),
  tooLarge: 'Too large for a text field: clear it to type or paste another, or replace it by a file.',
};

export const VALUES_EDITOR_WORDS = {
  used: (bytes: string, most: string) => `${bytes} of ${most}`,
  addKey: 'Add a key',
  dropHere: 'Files can be dropped here, too.',
  importedFiles: 'Imported files',
  refused: 'Some files could not be imported',
  size: 'Size of all values',
  tooLarge: ': too large to be saved',
};

export const FIELD_CHANGES_WORDS = {
  none: 'none',
  access: 'Access',
  everyone: 'everyone with access to the namespace',
};

export const REVIEW_DIALOG_WORDS = {
  noValueChanges: 'No value changes.',
  now: 'Now',
  then: 'Then',
  recover: 'Recover and save',
  collision: 'The history already has this version number',
  collisionCause:
    'Nothing was changed. The history already has something else under the number that this save would archive. This happens when the version counter is reset with kubectl, or when a save was interrupted and the Secret was then changed outside the service.',
  collisionAdvice:
    'An administrator should look at the history first. Recovering moves the counter past the newest archived version, so nothing archived is overwritten. Only administrators can do it.',
};

export const IMPORT_WORDS = {
  menu: 'Import',
  text: '.env or JSON text…',
  files: 'Files…',
  filesLabel: 'Files to import',
};
