import { Button } from '@patternfly/react-core';
import { ProblemAlert } from '../../ui/problem.tsx';
import { LIST_WORDS } from '../../words/list.ts';
import type { Listed } from './use-listed.ts';

/** How many Secrets there are, and what of a long list is not loaded. */
export function ListStatus({ listed: { count, pages, isBounded } }: { readonly listed: Listed }) {
  const hasFailed = pages !== undefined && pages.error !== null;
  return (
    <>
      <p role="status" className="count">
        {count}
        {pages?.isLoading === true && ` ${LIST_WORDS.loadingMore}`}
      </p>
      {hasFailed && <ProblemAlert title={LIST_WORDS.moreFailed} error={pages.error} />}
      {isBounded && <p className="hint">{LIST_WORDS.bounded}</p>}
      {(isBounded || hasFailed) && (
        <Button variant="link" isInline isDisabled={pages?.isLoading === true} onClick={pages?.loadMore}>
          {hasFailed ? LIST_WORDS.tryAgain : LIST_WORDS.loadMore}
        </Button>
      )}
    </>
  );
}
