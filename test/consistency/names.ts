/** The annotations of the service, apart from its own code: the checker must not share a mistake with it. */
export const ANNOTATIONS = {
  version: 'service.io/version',
  description: 'service.io/description',
  allowedGroups: 'service.io/allowed-groups',
  historyOf: 'service.io/history-of',
  historyUid: 'service.io/history-uid',
  historyVersion: 'service.io/history-version',
  historySource: 'service.io/history-resource-version',
  historyType: 'service.io/history-type',
  historyFinal: 'service.io/history-final',
  historyReplacedBy: 'service.io/history-replaced-by',
} as const;
