import { Link } from 'react-router';
import { Screen } from '../ui/screen.tsx';
import { Problem } from '../ui/problem.tsx';

/** What is left when a screen itself fails; nothing of the error is shown or logged. */
export function BrokenPage() {
  return (
    <main className="alone">
      <Problem error={undefined} retry={() => window.location.reload()} />
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
