import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  Page,
  SkipToContent,
} from '@patternfly/react-core';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import { useEffect, useState } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { PAGE_ROUTES } from '../../../src/contract/page-routes.ts';
import { useMe } from '../api/queries.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { ApiError } from '../api/http-client.ts';
import { rememberReturnAddress } from '../session/return-address.ts';
import { SessionExpired } from '../session/session-expired.tsx';
import { useSessionWatch } from '../api/session-watch.ts';
import { Notices } from '../ui/notices.tsx';
import { Problem } from '../ui/problem.tsx';
import { Loading } from '../ui/screen.tsx';
import { SignOut } from './sign-out.tsx';
import { ThemeToggle } from '../ui/theme-toggle.tsx';
import { createDirtyForms, DirtyFormsContext, useDirtyForms, useUnloadQuestion } from '../ui/dirty-forms.ts';

/** Everything around a screen. Nothing is shown to anyone who is not signed in. */
export function Shell() {
  const me = useMe();
  if (me.data !== undefined) return <SignedIn user={me.data} />;
  if (me.error instanceof ApiError && me.error.status === 401) return <ToSignIn />;
  return (
    <main className="alone">
      {me.isError ? <Problem error={me.error} retry={() => void me.refetch()} /> : <Starting />}
    </main>
  );
}

/** The frame of the pages, before it is known who is there. */
export function Starting() {
  return (
    <>
      <p className="brand">
        <LockIcon aria-hidden /> Secrets
      </p>
      <Loading what="your Secrets" />
    </>
  );
}

/** Signed out from the start: nothing can be lost, so the sign-in page takes over. */
function ToSignIn() {
  const { pathname } = useLocation();
  const { resumed } = useSessionWatch();
  useEffect(() => {
    rememberReturnAddress(pathname);
    resumed();
  }, [pathname, resumed]);
  return <Navigate to={PAGE_ROUTES.login} replace />;
}

function SignedIn({ user }: { readonly user: SessionUser }) {
  const [edits] = useState(createDirtyForms);
  useUnloadQuestion(edits);
  return (
    <DirtyFormsContext value={edits}>
      <Notices>
        <Page
          masthead={<Head user={user} />}
          mainContainerId="main"
          mainAriaLabel="Content"
          skipToContent={<SkipToContent href="#main">Skip to content</SkipToContent>}
          isContentFilled
        >
          <Screens />
        </Page>
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
  if (end.isEnded !== isEnded) setEnd({ isEnded, isDropped: isEnded && !edits.any() });
  useEffect(() => started(), [started]);
  return end.isDropped ? null : <Outlet />;
}

function Head({ user }: { readonly user: SessionUser }) {
  return (
    <Masthead display={{ default: 'inline' }} className="head">
      <MastheadMain>
        <MastheadBrand>
          <Link to="/" className="brand">
            <LockIcon aria-hidden /> Secrets
          </Link>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent className="head-content">
        <span className="who" title={user.email}>
          {user.name}
        </span>
        <ThemeToggle />
        <SignOut />
      </MastheadContent>
    </Masthead>
  );
}
