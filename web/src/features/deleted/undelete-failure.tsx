import { Alert } from '@patternfly/react-core';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { UNDELETE_WORDS } from '../../words/deleted.ts';
import type { FailedUndelete } from './undelete.ts';

/** Why a Secret was not restored, and what to do. */
export function UndeleteFailure({ failure }: { readonly failure: FailedUndelete }) {
  const { error, state, undelete } = failure;
  return (
    <Alert isInline isLiveRegion variant="danger" component="h2" title={UNDELETE_WORDS.failed(undelete.name)}>
      <p>{messageOf(error)}.</p>
      <p>{UNDELETE_WORDS.advice[state]}</p>
      <RequestId error={error} />
    </Alert>
  );
}
