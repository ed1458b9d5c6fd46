import { Link, useRouteError } from 'react-router';
import { Empty } from '../ui/empty.tsx';
import { useTitle } from '../ui/screen.tsx';
import { ProblemPage } from '../ui/problem.tsx';

/** What is left when a screen itself fails; of a foreign error nothing is shown or logged. */
export function BrokenPage() {
  const error = useRouteError();
  return (
    <main className="alone">
      <ProblemPage error={error} retry={() => window.location.reload()} />
    </main>
  );
}

export function UnknownPage() {
  useTitle('Page not found');
  return (
    <Empty
      title="Page not found"
      headingLevel="h1"
      body="There is nothing at this address. Check it for a typo."
    >
      <Link to="/">Show namespaces</Link>
    </Empty>
  );
}
