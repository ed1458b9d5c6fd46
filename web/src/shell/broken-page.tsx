import { EmptyState, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { Link, useRouteError } from 'react-router';
import { useTitle } from '../ui/screen.tsx';
import { Problem } from '../ui/problem.tsx';
import { COMMON_WORDS } from '../words/common.ts';
import { BROKEN_PAGE_WORDS } from '../words/frame.ts';

/** What is left when a screen itself fails; of a foreign error nothing is shown or logged. */
export function BrokenPage() {
  const error = useRouteError();
  return (
    <main className="alone">
      <Problem error={error} retry={() => window.location.reload()} />
    </main>
  );
}

export function UnknownPage() {
  useTitle(BROKEN_PAGE_WORDS.notFound);
  return (
    <EmptyState titleText={BROKEN_PAGE_WORDS.notFound} headingLevel="h1">
      <EmptyStateBody>{BROKEN_PAGE_WORDS.notFoundAdvice}</EmptyStateBody>
      <EmptyStateFooter>
        <Link to="/">{COMMON_WORDS.showNamespaces}</Link>
      </EmptyStateFooter>
    </EmptyState>
  );
}
