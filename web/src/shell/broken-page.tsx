import { Link, useRouteError } from 'react-router';
import { Screen } from '../ui/screen.tsx';
import { Problem } from '../ui/problem.tsx';

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
  return (
    <Screen title="Page not found">
      <p>
        <Link to="/">Show namespaces</Link>
      </p>
    </Screen>
  );
}
