import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, Link, useRouteError } from 'react-router';
import { PAGE_ROUTES } from '../../../src/contract/page-routes.ts';
import { useMe } from '../api/queries.ts';
import { ApiError } from '../api/http-client.ts';
import { rememberReturnAddress } from '../session/return-address.ts';
import { SessionExpired } from '../session/session-expired.tsx';
import { useSessionWatch } from '../api/session-watch.ts';
import { Notices } from '../ui/notices.tsx';
import { ProblemPage } from '../ui/problem.tsx';
import { createDirtyForms, DirtyFormsContext, useDirtyForms, useUnloadQuestion } from '../ui/dirty-forms.ts';
import { Frame, type FrameProps } from './frame.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { ScreenSkeleton, useTitle } from '../ui/screen.tsx';
import { Empty } from '../ui/empty.tsx';

/** Everything around a screen. The frame is there at once; nothing else is, for anyone who is not signed in. */
export function Shell() {
  const me = useMe();
  if (me.data === undefined && me.error instanceof ApiError && me.error.status === 401) return <ToSignIn />;
  if (me.data === undefined && me.isError) {
    return (
      <main className="alone">
        <ProblemPage error={me.error} retry={() => void me.refetch()} />
      </main>
    );
  }
  return <Signed user={me.data} />;
}

/** Signed out from the start: nothing can be lost, so the sign-in page takes over. */
function ToSignIn() {
  const { pathname, search, hash } = useLocation();
  const { resumed } = useSessionWatch();
  useEffect(() => {
    rememberReturnAddress(pathname + search + hash);
    resumed();
  }, [pathname, search, hash, resumed]);
  return <Navigate to={PAGE_ROUTES.login} replace />;
}

/** @param user still unknown: the frame waits with the address alone */
function Signed({ user }: Pick<FrameProps, 'user'>) {
  const [edits] = useState(createDirtyForms);
  useUnloadQuestion(edits);
  return (
    <DirtyFormsContext value={edits}>
      <Notices>
        <Frame user={user}>{user === undefined ? <ScreenSkeleton what="your Secrets" /> : <Screens />}</Frame>
        <LeaveGuard />
        <SessionExpired />
      </Notices>
    </DirtyFormsContext>
  );
}

/**
 * Values leave with the session: a screen without edits of its own is taken away, and read again afterwards. One with
 * edits stays, behind the notice, so that nothing typed is lost.
 */
function Screens() {
  const { isEnded, started } = useSessionWatch();
  const edits = useDirtyForms();
  const [end, setEnd] = useState({ isEnded: false, isDropped: false });
  if (end.isEnded !== isEnded) setEnd({ isEnded, isDropped: isEnded && edits.dirty() === undefined });
  useEffect(() => started(), [started]);
  // Shown again, it is a new screen for the keyboard and for screen readers.
  useEffect(() => {
    if (end.isDropped) delete document.getElementById('main')?.dataset.screen;
  }, [end.isDropped]);
  return end.isDropped ? null : <Outlet />;
}

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
