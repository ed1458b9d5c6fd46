import type { AccessRules } from '../contract/access-rules.ts';

/** What the list has returned so far. */
export interface ListedSecrets {
  /** Whether the policy must be read live. Otherwise a current policy from the cache is enough. */
  readonly live: boolean;
  /** The newest revision among them. A policy that may be older is not used. */
  readonly newest: string | undefined;
}

export interface ListAccess {
  readonly canCreate: boolean;
  /** Everything that the decisions depend on: with the same key they are the same. */
  readonly key: string;
  isVisible(own: AccessRules): boolean;
}
