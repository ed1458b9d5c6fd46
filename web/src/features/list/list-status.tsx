import { Button } from '@patternfly/react-core';
import { ProblemAlert } from '../../ui/problem.tsx';
import type { Listed } from './use-listed.ts';

/** How many Secrets there are, and what of a long list is not loaded. */
export function ListStatus({ listed: { count, pages, isBounded } }: { readonly listed: Listed }) {
  const hasFailed = pages !== undefined && pages.error !== null;
  return (
    <>
      <p role="status" className="count">
        {count}
        {pages?.isLoading === true && ' · loading…'}
      </p>
      {hasFailed && <ProblemAlert title="Couldn't load more Secrets" error={pages.error} />}
      {isBounded && (
        <p className="hint">
          In a long list, the text is searched for in all Secrets; the other filters apply to those that are
          loaded.
        </p>
      )}
      {(isBounded || hasFailed) && (
        <Button variant="link" isInline isDisabled={pages?.isLoading === true} onClick={pages?.loadMore}>
          {hasFailed ? 'Try again' : 'Load more'}
        </Button>
      )}
    </>
  );
}
