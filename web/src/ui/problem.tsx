import {
  Alert,
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { ApiError } from '../api/http-client.ts';
import { AccessRequest } from './access-request.tsx';
import { useOpenSearch } from './open-search.ts';
import { useTitle } from './screen.tsx';
import { listPath } from '../paths.ts';

interface Words {
  readonly title: string;
  readonly advice: string;
}

const BY_STATUS: ReadonlyMap<number, Words> = new Map([
  [0, { title: 'No connection', advice: 'Check your network, then try again.' }],
  [400, { title: "This address doesn't work", advice: 'Check it for a typo.' }],
  [401, { title: "You're signed out", advice: 'Sign in again to continue here.' }],
  [
    403,
    {
      title: "You don't have access",
      advice: "The access rules don't include you or your groups.",
    },
  ],
  [404, { title: 'Not found', advice: 'It was deleted, never existed, or is hidden from you.' }],
  [429, { title: 'Too many requests', advice: 'Wait a minute, then try again.' }],
  [
    503,
    {
      title: 'Not available right now',
      advice: 'Nothing was changed. Try again. If it keeps happening, contact an administrator.',
    },
  ],
]);
const OTHERWISE: Words = {
  title: 'Something went wrong',
  advice: 'Try again. If it keeps happening, contact an administrator.',
};

/** What can be said of anything that was thrown: the service's own words, never a foreign error's. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'An unexpected error occurred on this page';
}

/** A whole screen that could not be shown, with the id to quote. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const status = error instanceof ApiError ? error.status : undefined;
  const { title, advice } = (status === undefined ? undefined : BY_STATUS.get(status)) ?? OTHERWISE;
  useTitle(title);
  return (
    <EmptyState
      titleText={title}
      headingLevel="h1"
      {...(isExpected(status) ? {} : { status: 'danger' as const })}
    >
      <EmptyStateBody>
        {status !== 403 && <p>{messageOf(error)}.</p>}
        <p>{advice}</p>
        {status === 403 && <AccessRequest />}
        <RequestId error={error} />
      </EmptyStateBody>
      <EmptyStateFooter>
        {retry !== undefined && (
          <EmptyStateActions>
            <Button onClick={retry}>Try again</Button>
          </EmptyStateActions>
        )}
        {status === 404 && <SearchForName />}
        <WayUp />
      </EmptyStateFooter>
    </EmptyState>
  );
}

/** No failure: someone has no access, or there is nothing at this address. */
function isExpected(status: number | undefined): boolean {
  return status === 403 || status === 404;
}

/** What was looked for may have another namespace by now. */
function SearchForName() {
  const { name } = useParams();
  const search = useOpenSearch();
  if (name === undefined) return null;
  return (
    <EmptyStateActions>
      <Button variant="secondary" onClick={() => search(name)}>
        Search for {name}
      </Button>
    </EmptyStateActions>
  );
}

/** One step up from where it happened, so that no one is stuck. */
function WayUp() {
  const { pathname } = useLocation();
  const { namespace, name } = useParams();
  if (pathname === '/') return null;
  const ofSecret = namespace !== undefined && name !== undefined;
  return (
    <EmptyStateActions>
      {ofSecret ? (
        <Link to={listPath(namespace)}>Show Secrets in {namespace}</Link>
      ) : (
        <Link to="/">Show namespaces</Link>
      )}
    </EmptyStateActions>
  );
}

interface ProblemAlertProps {
  readonly title: string;
  readonly error: unknown;
  readonly advice?: string | undefined;
  readonly actions?: ReactNode;
}

/** A part of a screen that did not work, beside what did. */
export function ProblemAlert({ title, error, advice, actions }: ProblemAlertProps) {
  return (
    <Alert isInline isLiveRegion variant="danger" component="h2" title={title} actionLinks={actions}>
      <p>{messageOf(error)}.</p>
      {advice !== undefined && <p>{advice}</p>}
      <RequestId error={error} />
    </Alert>
  );
}

/** The id under which an operator finds the reason in the log. */
export function RequestId({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.requestId === undefined) return null;
  return (
    <p className="request-id">
      Request ID: <code>{error.requestId}</code>
    </p>
  );
}
