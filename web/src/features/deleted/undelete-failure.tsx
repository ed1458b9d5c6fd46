import { Alert } from '@patternfly/react-core';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { UNDELETE_ADVICE, type FailedUndelete } from './undelete.ts';

/** Why a Secret was not restored, and what to do. */
export function UndeleteFailure({ failure }: { readonly failure: FailedUndelete }) {
  const { error, state, undelete } = failure;
  return (
    <Alert isInline isLiveRegion variant="danger" component="h2" title={`Couldn't restore ${undelete.name}`}>
      <p>{messageOf(error)}.</p>
      <p>{UNDELETE_ADVICE[state]}</p>
      <RequestId error={error} />
    </Alert>
  );
}
