import { Alert, Button, EmptyStateActions } from '@patternfly/react-core';
import { Empty } from './empty.tsx';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '../api/http-client.ts';
import { NoAccess, WayUp } from './no-access.tsx';
import { useOpenSearch } from './open-search.ts';
import { Screen, useTitle } from './screen.tsx';

interface Words {
  readonly title: string;
  readonly advice: string;
}

const BY_STATUS: ReadonlyMap<number, Words> = new Map([
  [0, { title: 'No connection', advice: 'Check your network, then try again.' }],
  [400, { title: "This address doesn't work", advice: 'Check it for a typo.' }],
  [401, { title: "You're signed out", advice: 'Sign in again to continue here.' }],
  [403, { title: "You don't have access", advice: '' }],
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

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : undefined);
const wordsOf = (error: unknown) => BY_STATUS.get(statusOf(error) ?? NaN) ?? OTHERWISE;

export interface ProblemProps {
  readonly error: unknown;
  readonly retry: () => void;
}

/** A screen whose content could not be shown: where one is stays, since the address says it. */
export function ProblemScreen(props: ProblemProps) {
  return (
    <Screen tabTitle={wordsOf(props.error).title}>
      <Problem {...props} headingLevel="h2" />
    </Screen>
  );
}

/** A page that could not be shown, outside of any screen. */
export function ProblemPage(props: ProblemProps) {
  useTitle(wordsOf(props.error).title);
  return <Problem {...props} headingLevel="h1" />;
}

/** What could not be shown, with the id to quote. */
function Problem({ error, retry, headingLevel }: ProblemProps & { readonly headingLevel: 'h1' | 'h2' }) {
  const { title, advice } = wordsOf(error);
  const status = statusOf(error);
  if (status === 403) {
    return (
      <NoAccess title={title}>
        <p>{messageOf(error)}.</p>
        <RequestId error={error} />
      </NoAccess>
    );
  }
  return (
    <Empty
      title={title}
      headingLevel={headingLevel}
      {...(status === 404 ? { icon: SearchIcon } : { status: 'danger' as const })}
      body={
        <>
          <p>{messageOf(error)}.</p>
          <p>{advice}</p>
          <RequestId error={error} />
        </>
      }
    >
      <EmptyStateActions>
        {canHelp(status) && <Button onClick={retry}>Try again</Button>}
        {status === 404 && <SearchForName />}
      </EmptyStateActions>
      <EmptyStateActions>
        <WayUp />
      </EmptyStateActions>
    </Empty>
  );
}

/** Whether the same request may work a moment later. */
function canHelp(status: number | undefined): boolean {
  return status === undefined || status < 400 || status === 429 || status >= 500;
}

/** What was looked for may have another namespace by now. */
function SearchForName() {
  const { name } = useParams();
  const search = useOpenSearch();
  if (name === undefined) return null;
  return <Button onClick={() => search(name)}>Search for {name}</Button>;
}

interface ProblemAlertProps {
  readonly title: string;
  readonly error: unknown;
  readonly advice?: string | undefined;
  readonly actions?: ReactNode;
  /** What was only to be read may be gone or hidden: no accident. */
  readonly isRead?: boolean;
}

/** A part of a screen that did not work, beside what did. */
export function ProblemAlert({ title, error, advice, actions, isRead = false }: ProblemAlertProps) {
  const variant = isRead && [403, 404].includes(statusOf(error) ?? NaN) ? 'info' : 'danger';
  return (
    <Alert isInline isLiveRegion variant={variant} component="h2" title={title} actionLinks={actions}>
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
