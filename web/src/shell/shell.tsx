import {
  Button,
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  Page,
  SkipToContent,
} from '@patternfly/react-core';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { useApi } from '../api/api-context.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { ApiError } from '../api/wire.ts';
import { rememberReturnAddress } from '../session/return-address.ts';
import { SessionExpired } from '../session/session-expired.tsx';
import { useSessionWatch } from '../session/session-watch.ts';
import { Notices } from './notices.tsx';
import { Problem } from './problem.tsx';
import { Loading } from './screen.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** Everything around a screen. Nothing is shown to anyone who is not signed in. */
export function Shell() {
  const api = useApi();
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => api.me(signal),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  if (me.data !== undefined) return <SignedIn user={me.data} />;
  if (me.error instanceof ApiError && me.error.status === 401) return <ToSignIn />;
  return (
    <main className="alone">
      {me.isError ? (
        <Problem error={me.error} retry={() => void me.refetch()} />
      ) : (
        <Loading what="the session" />
      )}
    </main>
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
  return <Navigate to="/login" replace />;
}

function SignedIn({ user }: { readonly user: SessionUser }) {
  return (
    <Notices>
      <Page
        masthead={<Head user={user} />}
        mainContainerId="main"
        mainAriaLabel="Content"
        skipToContent={<SkipToContent href="#main">Skip to content</SkipToContent>}
        isContentFilled
      >
        <Outlet />
      </Page>
      <SessionExpired />
    </Notices>
  );
}

function Head({ user }: { readonly user: SessionUser }) {
  const api = useApi();
  const queries = useQueryClient();
  const [stillIn, setStillIn] = useState(false);
  const signOut = async () => {
    try {
      await api.signOut();
    } catch {
      // The cookie is still there, and only the service can take it away: nobody may think that it has.
      setStillIn(true);
      return;
    }
    queries.clear();
    window.location.assign('/login');
  };
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
        <span role="status" className={stillIn ? 'still-in' : ''}>
          {stillIn ? 'You are still signed in: try again.' : ''}
        </span>
        <Button variant="link" onClick={() => void signOut()}>
          Sign out
        </Button>
      </MastheadContent>
    </Masthead>
  );
}
