import { Alert } from '@patternfly/react-core';
import { useMe } from '../../api/queries.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';
import { authorOf } from '../../editing/save-state.ts';
import { valuesAreEditable } from './use-edit.ts';

export interface ConflictCauseProps {
  readonly base: SecretDetail;
  readonly theirs: SecretDetail;
  readonly isOpenToChoice: boolean;
}

/** Who was faster: someone else, oneself, or someone who did not go through this service. */
export function ConflictCause({ base, theirs, isOpenToChoice }: ConflictCauseProps) {
  const { data: me } = useMe();
  const author = authorOf(base, theirs, me);
  return (
    <Alert
      isInline
      isLiveRegion
      variant="warning"
      component="h2"
      id="conflict-title"
      title="This Secret was changed meanwhile"
    >
      <p>
        {author === 'outside' ? (
          'It was changed outside of this service.'
        ) : (
          <>
            {author === 'me'
              ? 'You, in another tab or an earlier attempt,'
              : (theirs.lastModifiedBy ?? 'Someone')}{' '}
            saved version {theirs.version}{' '}
            {theirs.lastModifiedAt !== undefined && <When time={theirs.lastModifiedAt} relative />}.
          </>
        )}{' '}
        Nothing of yours is lost.{' '}
        {isOpenToChoice && 'Where only one side changed something, that is chosen already.'}
      </p>
      {valuesAreEditable(base) && !valuesAreEditable(theirs) && (
        <p>The values cannot be edited any more; only description and access are merged.</p>
      )}
    </Alert>
  );
}
