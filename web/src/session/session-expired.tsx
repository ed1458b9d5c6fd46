import { useCallback, useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useApi } from '../api/api-context.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useSessionWatch } from '../api/session-watch.ts';
import { useDirtyForms } from '../ui/dirty-forms.ts';
import { useEscape } from '../ui/use-escape.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { SessionUser } from '../api/secrets-api.ts';
import { BEGIN_LOGIN_PATH } from '../../../src/contract/page-routes.ts';

/** Covers the page when the session is over: what was typed is kept behind it, and continues after signing in again. */
export function SessionExpired() {
  const { isEnded, result, check } = useSessionCheck();
  if (!isEnded) return null;
  return (
    <Cover>
      {typeof result === 'string' ? (
        <Notice isStillEnded={result === 'noSession'} onCheck={() => void check()} />
      ) : (
        <OtherUser {...result} />
      )}
    </Cover>
  );
}

function Notice({ isStillEnded, onCheck }: { readonly isStillEnded: boolean; readonly onCheck: () => void }) {
  const edits = useDirtyForms();
  return (
    <CoverParts
      title="Your session has ended"
      titleIconVariant="warning"
      actions={
        <>
          <SignInLink>Sign in again</SignInLink>
          <Button variant="secondary" onClick={onCheck}>
            Continue
          </Button>
        </>
      }
    >
      <p>
        {edits.dirty() === undefined ? '' : 'This page is kept. '}Sign in again in a new tab, then continue
        here.
      </p>
      <p role="status">{isStillEnded ? 'There is no new session yet.' : ''}</p>
    </CoverParts>
  );
}

/** Stands before a page of someone else; there is no way past it but to be its owner, or to give it up. */
function OtherUser({ user, owner }: OtherSession) {
  const edits = useDirtyForms();
  const queries = useQueryClient();
  const discard = () => {
    edits.forget();
    queries.clear();
    window.location.reload();
  };
  return (
    <CoverParts
      title="This page belongs to someone else"
      actions={
        <>
          <SignInLink>Sign in as {owner.email}</SignInLink>
          <Button variant="secondary" isDanger onClick={discard}>
            Discard and reload
          </Button>
        </>
      }
    >
      <p role="status">
        You're signed in as <bdi>{user.email}</bdi>, but <bdi>{owner.email}</bdi> opened this page. Its
        content is hidden, and cannot be saved, until <bdi>{owner.email}</bdi> signs in again.
      </p>
    </CoverParts>
  );
}

/** What stays in sight while the page is hidden, whatever it says: the focus would go to a hidden dialog in between. */
function Cover({ children }: { readonly children: ReactNode }) {
  // There is no way past it but to sign in, and a dialog below must not take the key.
  useEscape(true, () => undefined);
  useLayoutEffect(() => {
    // By a class: a style sheet that looked for the notice itself (`:has`) would have every change of a page calculated
    // again for all of it.
    const { classList } = document.documentElement;
    classList.add('session-over');
    // PatternFly hides from screen readers what is outside of a dialog whenever that is drawn, and shows it again when any
    // dialog closes, also one that is behind this one.
    const hide = () => {
      for (const child of document.body.children) {
        if (child.matches('.session-cover')) child.removeAttribute('aria-hidden');
        else if (!child.hasAttribute('aria-hidden')) child.setAttribute('aria-hidden', 'true');
      }
    };
    const observer = new MutationObserver(hide);
    observer.observe(document.body, { attributeFilter: ['aria-hidden'], childList: true, subtree: true });
    return () => {
      classList.remove('session-over');
      // Before PatternFly shows the page again: pending records are dropped.
      observer.disconnect();
    };
  }, []);
  return (
    <Modal
      isOpen
      variant="small"
      backdropClassName="session-cover"
      aria-labelledby="session-title"
      aria-describedby="session-body"
    >
      {children}
    </Modal>
  );
}

interface CoverPartsProps {
  readonly title: string;
  readonly titleIconVariant?: 'warning';
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

function CoverParts({ actions, children, ...head }: CoverPartsProps) {
  // The button that had the focus may have been one of the other notice.
  useEffect(() => document.querySelector<HTMLElement>('.session-actions a')?.focus(), []);
  return (
    <>
      <ModalHeader {...head} labelId="session-title" />
      <ModalBody className="dialog-body" id="session-body">
        {children}
      </ModalBody>
      <ModalFooter className="session-actions">{actions}</ModalFooter>
    </>
  );
}

/** In a tab of its own, so that this one keeps what is on it. */
function SignInLink({ children }: { readonly children: ReactNode }) {
  return (
    <Button component="a" href={BEGIN_LOGIN_PATH} target="_blank" rel="noreferrer">
      {children}
    </Button>
  );
}

/** What the last check for a new session has found: nothing checked yet, no session, or the session of another user. */
type SessionCheck = 'notChecked' | 'noSession' | OtherSession;
type OtherSession = { readonly user: SessionUser; readonly owner: SessionUser };

/**
 * Looks for a new session when the old one is over: on demand, whenever the tab is looked at again, and when another
 * tab reports a change. One of someone else is not taken: the page, its values and its edits are not theirs.
 */
function useSessionCheck() {
  const { isEnded, resumed, replaced, onNews } = useSessionWatch();
  const api = useApi();
  const queries = useQueryClient();
  const [result, setResult] = useState<SessionCheck>('notChecked');
  const look = useCallback(
    async (otherwise: 'notChecked' | 'noSession') => {
      try {
        const owner = queries.getQueryData<SessionUser>(queryKeys.me());
        const user = await api.me();
        if (owner !== undefined && owner.sub !== user.sub) {
          replaced();
          setResult({ user, owner });
          return;
        }
        queries.setQueryData(queryKeys.me(), user);
        resumed();
        setResult('notChecked');
        await queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
      } catch {
        setResult(otherwise); // still signed out, or out of reach: the notice stays
      }
    },
    [api, queries, resumed, replaced],
  );
  useEffect(() => {
    if (!isEnded) return;
    const onFocus = () => void look('noSession');
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [isEnded, look]);
  // The news may be late: the end that another tab has seen may be that of the session before.
  useEffect(() => onNews(() => void look('notChecked')), [onNews, look]);
  return { isEnded, result, check: () => look('noSession') };
}
