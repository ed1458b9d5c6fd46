import { type Authorize } from '../access/authorizer.ts';
import { type Store } from '../store/store.ts';

/** What the handlers of resources work with. */
export interface ResourceContext {
  readonly store: Store;
  readonly authorize: Authorize;
  readonly now: () => Date;
  readonly newUid: () => string;
  /** Five random characters for generateName. */
  readonly nameSuffix: () => string;
}
