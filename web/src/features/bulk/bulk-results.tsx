import { Alert } from '@patternfly/react-core';
import { type ReactNode, useRef, useState } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { useDirty } from '../../ui/dirty-forms.ts';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { counted } from '../../values/format.ts';
import { type BulkOutcome, type BulkOutcomes, type BulkState, runBulk, type BulkJob } from './bulk-job.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { orAbsent } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** What was requested has happened, or goes on without the page. */
const DONE: ReadonlySet<BulkState> = new Set(['done', 'pending', 'gone']);
const RETRIED: ReadonlySet<BulkState> = new Set(['same', 'unknown', 'notTried']);

/** Those that are left, and those of them for which it makes sense to try again. */
export function leftOf(secrets: readonly SecretSummary[], outcomes: BulkOutcomes | undefined) {
  const left = secrets.flatMap((secret) => {
    const outcome = outcomes?.get(secret.name) ?? { state: 'notTried' };
    return DONE.has(outcome.state) ? [] : [{ secret, outcome }];
  });
  const retried = left.filter(({ outcome }) => RETRIED.has(outcome.state)).map(({ secret }) => secret);
  return { left, retried };
}

interface BulkResultsProps {
  readonly secrets: readonly SecretSummary[];
  readonly outcomes: BulkOutcomes;
  /** What the job is called once it is done. */
  readonly verb: 'deleted' | 'changed';
  readonly note?: string | undefined;
  readonly actions?: ReactNode;
}

/** What is left after a run, and why. */
export function BulkResults({ secrets, outcomes, verb, note, actions }: BulkResultsProps) {
  const { left } = leftOf(secrets, outcomes);
  const [first] = left;
  if (first === undefined) return null;
  const [title, advice] = WORDS[first.outcome.state];
  const isOne = secrets.length === 1;
  const isOpen = left.some(({ outcome: { state } }) => state === 'unknown' || state === 'hidden');
  const was = isOpen ? 'may not have been' : 'not';
  return (
    <Alert
      isInline
      isLiveRegion
      variant="danger"
      component="h2"
      title={
        isOne ? said(title, verb) : `${left.length} of ${counted(secrets.length, 'Secret')} ${was} ${verb}`
      }
      actionLinks={actions}
    >
      {isOne ? (
        <>
          <Reason outcome={first.outcome} />
          {advice !== undefined && <p>{said(advice, verb)}</p>}
        </>
      ) : (
        <ul className="bulk-results" aria-label="Results">
          {left.map(({ secret: { name }, outcome }) => (
            <li key={name}>
              <strong>{name}</strong>: {said(WORDS[outcome.state][0], verb)}. <Reason outcome={outcome} />
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && <p>{note}</p>}
    </Alert>
  );
}

type Words = readonly [title: string, advice?: string];

/** With `*` for the verb. */
const WORDS: Readonly<Record<BulkState, Words>> = {
  done: ['It was *'],
  pending: ['Deletion started, waiting for finalizers'],
  gone: ['It no longer exists'],
  hidden: ['You can no longer see it', 'It was changed or deleted.'],
  same: ['It was not *'],
  changed: [
    'Someone changed this Secret since you opened it',
    'It was not *, so that you can look at the change first.',
  ],
  replaced: [
    'Another Secret now has this name',
    'The one that you opened no longer exists. The new one was not *.',
  ],
  unknown: [
    'It may or may not have been *',
    'You can safely try again: only the version that you opened can be *.',
  ],
  notTried: ['Not tried'],
};

const said = (text: string, verb: string) => text.replaceAll('*', verb);

function Reason({ outcome: { state, error } }: { readonly outcome: BulkOutcome }) {
  if ((state !== 'same' && state !== 'unknown') || error === undefined) return null;
  return (
    <>
      {messageOf(error)}.
      <RequestId error={error} />
    </>
  );
}

/** Runs a job over Secrets of a namespace; afterwards their list is read again. */
export function useBulk(namespace: string) {
  const api = useApi();
  const queries = useQueryClient();
  const isStopped = useRef(false);
  const isFinished = useRef(true);
  const [isRunning, setRunning] = useState(false);
  const [outcomes, setOutcomes] = useState<BulkOutcomes>();
  useDirty(isRunning, 'sent', isFinished);
  /** What is known of other Secrets from an earlier run stays. */
  const run = async (secrets: readonly SecretSummary[], job: BulkJob): Promise<BulkOutcomes> => {
    const known = new Map(outcomes);
    for (const { name } of secrets) known.delete(name);
    isStopped.current = false;
    isFinished.current = false;
    setRunning(true);
    setOutcomes(new Map(known));
    await runBulk({
      secrets,
      job,
      readNow: (secret) => api.describe(secret).catch(orAbsent),
      onOutcome: (name, outcome) => setOutcomes(new Map(known.set(name, outcome))),
      isStopped: () => isStopped.current,
    });
    isFinished.current = true;
    setRunning(false);
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    return known;
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { run, stop, isRunning, outcomes };
}
