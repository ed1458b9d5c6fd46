import { Alert } from '@patternfly/react-core';
import { useMe } from '../../api/queries.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { When } from '../../ui/when.tsx';
import { authorOf } from '../../editing/save-state.ts';
import { valuesAreEditable } from './use-edit.ts';
import { CONFLICT_CAUSE_WORDS } from '../../words/edit.ts';

export interface ConflictCauseProps {
  readonly base: SecretDetail;
  readonly theirs: SecretDetail;
  readonly isOpenToChoice: boolean;
}

const TITLES = {
  outside: CONFLICT_CAUSE_WORDS.outside,
  me: CONFLICT_CAUSE_WORDS.me,
  other: CONFLICT_CAUSE_WORDS.other,
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
            {CONFLICT_CAUSE_WORDS.saved(
              author === 'me'
                ? CONFLICT_CAUSE_WORDS.you
                : (theirs.lastModifiedBy ?? CONFLICT_CAUSE_WORDS.someone),
              theirs.version,
            )}{' '}
            {theirs.lastModifiedAt !== undefined && <When time={theirs.lastModifiedAt} relative />}.{' '}
          </>
        )}
        {CONFLICT_CAUSE_WORDS.kept} {isOpenToChoice && CONFLICT_CAUSE_WORDS.selected}
      </p>
      {valuesAreEditable(base) && !valuesAreEditable(theirs) && <p>{CONFLICT_CAUSE_WORDS.onlyMetadata}</p>}
    </Alert>
  );
}
