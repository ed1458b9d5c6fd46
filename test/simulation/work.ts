export type Request =
  | 'update'
  | 'restore'
  | 'delete'
  | 'undelete'
  | 'purge'
  | 'create'
  | 'recover'
  | 'versions'
  | 'read'
  | 'listDeleted'
  | 'list'
  | 'pages';
export type Work = Request | 'reconcile' | Beside;
export type Beside =
  | 'edit'
  | 'setCounter'
  | 'removeSnapshot'
  | 'removeLive'
  | 'loseLabels'
  | 'hold'
  | 'crash'
  | 'wait';

/** Often what writers do, now and then what happens to them. The first is the simplest. */
export const WORK: readonly [Work, ...Work[]] = [
  ...(['update', 'update', 'update', 'update', 'restore', 'delete', 'versions', 'read', 'create'] as const),
  ...([
    'reconcile',
    'reconcile',
    'edit',
    'setCounter',
    'recover',
    'crash',
    'wait',
    'removeSnapshot',
  ] as const),
  ...([
    'removeLive',
    'loseLabels',
    'hold',
    'undelete',
    'undelete',
    'purge',
    'listDeleted',
    'listDeleted',
    'list',
    'list',
    'list',
    'pages',
  ] as const),
];
