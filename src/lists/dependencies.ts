import type { Authorizer } from '../access/authorizer.ts';
import type { SnapshotStore } from '../history/ports.ts';
import type { Clock } from '../timing/clock.ts';
import type { ListAnswers } from './list-answers.ts';
import type { Compress } from './list-body.ts';
import type { ListCache, ListOutcome } from './list-cache.ts';
import type { LiveLists, LiveListsDependencies } from './live-lists.ts';
import type { PageTokens } from './page-token.ts';
import type { RetainedViews } from './retained-views.ts';
import type { Views } from './views.ts';

/** If there is no cache, every list is live, and there are neither pages nor searches. */
export interface ListsDependencies extends LiveListsDependencies {
  readonly store: Pick<SnapshotStore, 'listPage' | 'listMetadata'>;
  readonly authorizer: Pick<Authorizer, 'forList' | 'forLists'>;
  readonly managedOnly: boolean;
  /** Compresses lists, which hold no values. */
  readonly compress: Compress;
  /** Of `continue` tokens, see `createPageTokens`. */
  readonly tokenKey: Uint8Array;
  readonly clock: Pick<Clock, 'now' | 'wallNow'>;
  /** Called for every list as soon as its source is decided. A live list may fail after that. */
  readonly onList: (outcome: ListOutcome) => void;
}

/** What pages and searches are made with. */
export interface CachedLists extends ListsDependencies {
  readonly listCache: ListCache;
  readonly liveLists: LiveLists;
  readonly views: Views;
  readonly retainedViews: RetainedViews;
  readonly tokens: PageTokens;
}

/** What whole lists are made with. */
export interface WholeLists extends ListsDependencies {
  readonly liveLists: LiveLists;
  readonly listAnswers: ListAnswers;
  readonly cached: CachedLists | undefined;
}
