import { Alert } from '@patternfly/react-core';
import { useMe } from '../../api/queries.ts';
import type { StoredSecret } from '../../editing/stored-secret.ts';
import { When } from '../../ui/when.tsx';
import { authorOf } from '../../editing/save-state.ts';

export interface ConflictCauseProps {
  readonly base: StoredSecret;
  readonly theirs: StoredSecret;
  readonly isOpenToChoice: boolean;
}

const TITLES = {
  outside: 'This Secret was changed outside the service',
  me: 'You saved a newer version elsewhere',
  other: 'Someone saved a newer version',
} as const;

/** Who was faster: someone else, oneself, or someone who did not go through this service. */
export function ConflictCause({ base, theirs, isOpenToChoice }: ConflictCauseProps) {
  const { data: me } = useMe();
  const author = authorOf(base, theirs, me);
  return (
    <Alert isInline isLiveRegion variant="warning" component="h2" id="conflict-title" title={TITLES[author]}>
      <p>
        {author !== 'outside' && (
          <>
            {author === 'me' ? 'You' : (theirs.lastModifiedBy ?? 'Someone')} saved version {theirs.version}{' '}
            {theirs.lastModifiedAt !== undefined && <When time={theirs.lastModifiedAt} relative />}.{' '}
          </>
        )}
        Your changes are kept.{' '}
        {isOpenToChoice && 'Where only one side changed something, it is already selected.'}
      </p>
      {!base.immutable && theirs.immutable && (
        <p>The values can no longer be edited; only description and access are merged.</p>
      )}
    </Alert>
  );
}
