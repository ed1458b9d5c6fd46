import type { QueryClient } from '@tanstack/react-query';
import type { Draft } from './draft.ts';

/** Everything that the form for a new Secret holds. */
export interface NewDraft extends Draft {
  readonly name: string;
  readonly type: string;
}

const keyOf = (namespace: string) => ['handed-over', namespace];

/**
 * Gives a draft to the form for a new Secret. It goes through memory that a sign-out clears: an address, and the
 * browser's history, outlive the tab.
 */
export function handOver(queries: QueryClient, namespace: string, draft: NewDraft): void {
  queries.setQueryData(keyOf(namespace), draft);
}

export function handedOver(queries: QueryClient, namespace: string): NewDraft | undefined {
  return queries.getQueryData<NewDraft>(keyOf(namespace));
}

/** The form has it now. */
export function forgetHandedOver(queries: QueryClient, namespace: string): void {
  queries.removeQueries({ queryKey: keyOf(namespace), exact: true });
}
