/** What the history of a Secret says. */
export const HISTORY_WORDS = {
  table: 'Versions',
  version: 'Version',
  made: 'Made',
  by: 'By',
  changes: 'What changed',
  actions: 'Actions',
  live: 'live',
  unknown: 'unknown',
  archived: 'archived',
  archivedHint: 'The time when this version was made is not known: it was archived then.',
  view: 'View',
  viewOf: (version: string) => `View ${version}`,
  close: 'Close',
  compare: 'Compare',
  compareOf: (version: string) => `Compare ${version}`,
  restore: 'Restore',
  restoreOf: (version: number) => `Restore version ${version}`,
  // The sign and the key stay on one line.
  added: (key: string) => `+\u00a0${key}`,
  removed: (key: string) => `−\u00a0${key}`,
  changed: (key: string) => `${key} changed`,
  addedLong: (key: string) => `${key} added`,
  removedLong: (key: string) => `${key} removed`,
  more: (count: number) => `and ${count} more`,
  sameValues: 'no value changed',
  oldest: 'the oldest version here',
  none: 'No earlier versions yet. Every change archives the version before it.',
  named: (version: number) => `version ${version}`,
  liveNamed: (version: number) => `the live version ${version}`,
};

export const DIFF_WORDS = {
  show: (key: string) => `Show the lines of ${key} that differ`,
  hide: (key: string) => `Hide the lines of ${key}`,
  table: (key: string) => `Lines of ${key} that differ`,
  tooLarge: 'Too large or too different to be compared line by line.',
  added: 'added',
  removed: 'removed',
};

export const COMPARISON_WORDS = {
  same: 'Both versions have the same values.',
  differ: (differing: number, length: number) =>
    length === 1 ? 'The only key differs.' : `${differing} of ${length} keys differ.`,
  showSame: (count: number) =>
    count === 1 ? 'Show the key that is the same' : `Show the ${count} keys that are the same`,
  hideSame: 'Show only the keys that differ',
};

export const COMPARE_WORDS = {
  compare: 'Compare',
  firstState: 'First state',
  secondState: 'Second state',
  liveVersion: (version: number) => `Live (version ${version})`,
  version: (version: number) => `Version ${version}`,
  failed: "Couldn't compare the versions",
  theVersions: 'the versions',
  live: 'Live',
};

export const RESTORE_BLOCKED_WORDS = {
  noVersion: 'The version could not be read',
  noVersionAdvice: 'You can restore it once its changes can be shown.',
  noLive: 'The live values could not be read',
  noLiveAdvice: 'You can restore the version once its changes can be shown.',
  changed: 'Someone changed this Secret since you opened it',
  nothingRestored: 'Nothing was restored, so that you can look at the change first.',
  maybeRestored: 'Your first attempt may have restored the version before that: look at the history.',
  versionChanged: 'This version has changed since you opened it',
  loading: 'Loading what would change',
  restore: 'Restore',
};

export const RESTORE_WORDS = {
  restored: (version: number, version2: number) => `Version ${version} is restored as version ${version2}.`,
};

export const RESTORE_DIALOG_WORDS = {
  unknown: 'It may or may not have been restored',
  failed: "Couldn't restore the version",
  title: (version: number, name: string) => `Restore version ${version} of ${name}?`,
  restore: 'Restore',
  explain: (version: number) =>
    `The values go back to those of version ${version}, as a new version. Description and access rules stay as they are, and the current state is archived first.`,
};

export const VERSION_VIEW_WORDS = {
  version: (version: number) => `Version ${version}`,
  failed: "Couldn't load the version",
  theVersion: 'the version',
};

export const HISTORY_PAGE_WORDS = {
  theHistory: 'the history',
  reloadFailed: "Couldn't reload the history",
};
