import { Link, useRouteError } from 'react-router';
import { Screen } from '../ui/screen.tsx';
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
  return (
    <Screen title={BROKEN_PAGE_WORDS.notFound}>
      <p>
        <Link to="/">{COMMON_WORDS.showNamespaces}</Link>
      </p>
    </Screen>
  );
}
