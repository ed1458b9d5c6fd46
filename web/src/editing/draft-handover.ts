import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';
import type { Draft } from './draft.ts';

/** Everything that the form for a new Secret holds. */
export interface NewDraft extends Draft {
  readonly name: string;
  readonly type: string;
}

/**
 * Gives a draft to the form for a new Secret. It goes through memory that a sign-out clears: an address, and the
 * browser's history, outlive the tab.
 */
export function handOverDraft(queries: QueryClient, namespace: string, draft: NewDraft): void {
  queries.setQueryData(queryKeys.draftHandover(namespace), draft);
}

export function handedOverDraft(queries: QueryClient, namespace: string): NewDraft | undefined {
  return queries.getQueryData<NewDraft>(queryKeys.draftHandover(namespace));
}

export function forgetHandedOverDraft(queries: QueryClient, namespace: string): void {
  queries.removeQueries({ queryKey: queryKeys.draftHandover(namespace), exact: true });
}
