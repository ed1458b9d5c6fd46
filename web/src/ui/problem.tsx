import {
  Alert,
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core';
import { Link, useLocation, useParams } from 'react-router';
import { ApiError } from '../api/http-client.ts';
import { AccessRequest } from './access-request.tsx';
import { useOpenSearch } from './open-search.ts';
import { useTitle } from './screen.tsx';
import { listPath } from '../paths.ts';
import { COMMON_WORDS } from '../words/common.ts';
import { PROBLEM_WORDS } from '../words/ui.ts';

interface Words {
  readonly title: string;
  readonly advice: string;
}

const BY_STATUS: ReadonlyMap<number, Words> = new Map([
  [0, { title: PROBLEM_WORDS.noConnection, advice: COMMON_WORDS.checkNetwork }],
  [400, { title: PROBLEM_WORDS.badAddress, advice: PROBLEM_WORDS.badAddressAdvice }],
  [401, { title: PROBLEM_WORDS.signedOut, advice: PROBLEM_WORDS.signInAgain }],
  [
    403,
    {
      title: PROBLEM_WORDS.noAccess,
      advice: PROBLEM_WORDS.noAccessAdvice,
    },
  ],
  [404, { title: PROBLEM_WORDS.notFound, advice: PROBLEM_WORDS.notFoundAdvice }],
  [429, { title: PROBLEM_WORDS.tooManyRequests, advice: COMMON_WORDS.waitAMinute }],
  [
    503,
    {
      title: PROBLEM_WORDS.unavailable,
      advice: PROBLEM_WORDS.unavailableAdvice,
    },
  ],
]);
const OTHERWISE: Words = {
  title: PROBLEM_WORDS.otherwise,
  advice: COMMON_WORDS.keepsHappening,
};

/** What can be said of anything that was thrown: the service's own words, never a foreign error's. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : PROBLEM_WORDS.unexpected;
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
            <Button onClick={retry}>{COMMON_WORDS.tryAgain}</Button>
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
        {PROBLEM_WORDS.searchFor(name)}
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
        <Link to={listPath(namespace)}>{PROBLEM_WORDS.showSecrets(namespace)}</Link>
      ) : (
        <Link to="/">{COMMON_WORDS.showNamespaces}</Link>
      )}
    </EmptyStateActions>
  );
}

/** A part of a screen that did not work, beside what did. */
export function ProblemAlert({ title, error }: { readonly title: string; readonly error: unknown }) {
  return (
    <Alert isInline isLiveRegion variant="danger" component="h2" title={title}>
      <p>{messageOf(error)}.</p>
      <RequestId error={error} />
    </Alert>
  );
}

/** The id under which an operator finds the reason in the log. */
export function RequestId({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.requestId === undefined) return null;
  return (
    <p className="request-id">
      {PROBLEM_WORDS.requestId} <code>{error.requestId}</code>
    </p>
  );
}
