/** What restarting workloads says. */
export const WORKLOADS_WORDS = {
  singleVariables: 'single environment variables',
  allVariables: 'all keys as environment variables',
  files: 'files in a volume',
  pulling: 'pulling images',
  paused: 'Its rollout is paused. Resume it first.',
  gone: 'It no longer exists.',
  replaced: 'It was deleted and created again, so it has the new values.',
  unused: 'It no longer uses this Secret.',
  busy: 'It kept changing. Try again.',
  forbidden: 'The service may not change it. Contact an administrator.',
  refused: 'The cluster did not accept the change. Contact an administrator.',
  noAnswer: 'The cluster did not answer. Try again.',
  unknown: 'The answer was lost: it may or may not have been restarted. Check before you try again.',
};

export const CONSUMER_LIST_WORDS = {
  explain:
    'Environment variables are read once, when a container starts: what uses them is already selected. Files in a volume follow within a minute or two, unless they are mounted with a subPath; restart workloads that read their files only at the start.',
  workloads: 'Workloads',
  nextRun: (uses: string) => `${uses}; picks it up at its next run`,
  none: 'No Deployment, StatefulSet, DaemonSet or CronJob of this namespace names this Secret.',
  limits:
    'Programs that read it from the cluster themselves, Ingresses and bare pods are not found this way.',
};

export const RESTART_OUTCOME_WORDS = {
  started: 'Restart started',
  restarted: 'Restarted',
  watch: "The cluster replaces the pods one after another, in each workload's own way. To watch the rollout:",
  watchCommand: (namespace: string, what: string, name: string) =>
    `kubectl -n ${namespace} rollout status ${what}/${name}`,
  notRestarted: 'Not restarted',
};

export const RESTART_DIALOG_WORDS = {
  title: (name: string) => `Workloads that use ${name}`,
  loadFailed: "Couldn't load the workloads",
  failed: "Couldn't restart the workloads",
  restartWorkloads: (count: number) => (count === 1 ? 'Restart 1 workload' : `Restart ${count} workloads`),
  retry: 'Try the failed ones again',
};

export const RESTART_OFFER_WORDS = {
  title: 'The values have changed',
  choose: 'Choose workloads to restart',
  notNow: 'Not now',
  explain: 'Workloads that read this Secret at their start still have the old ones.',
};
