import type { Operation, OperationRequest } from './recording.ts';

type Unusual = 'recover' | 'setCounter' | 'changePolicy' | 'stale';
/** What a writer may do next. */
export type Kind = OperationRequest['do'] | Unusual;

/** Few names, so that writers meet. */
export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
export const KINDS: readonly (readonly [weight: number, kind: Kind])[] = [
  [40, 'update'],
  [14, 'read'],
  [14, 'list'],
  [8, 'restore'],
  [6, 'versions'],
  [3, 'listDeleted'],
  [6, 'undelete'],
  [3, 'purge'],
  [8, 'create'],
  [5, 'delete'],
  [3, 'stale'],
  [3, 'edit'],
  [1, 'setCounter'],
  [1, 'removeSnapshot'],
  [1, 'changePolicy'],
  [2, 'recover'],
];
export const ACTORS: readonly (readonly [weight: number, actor: Operation['actor']])[] = [
  [6, 'admin'],
  [4, 'member'],
  [1, 'stranger'],
];
