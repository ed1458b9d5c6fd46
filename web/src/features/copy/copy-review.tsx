import type { SecretDetail } from '../../api/secrets-api.ts';
import { changedKeys } from '../../editing/changes.ts';
import type { NewDraft } from '../../editing/draft-handover.ts';
import { COPY_WORDS } from '../../words/copy.ts';
import { useCreate } from '../create/use-create.ts';
import { newFields } from '../form/field-changes.tsx';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { ReviewDialog } from '../form/review-dialog.tsx';

export interface CopyReviewProps {
  readonly secret: SecretDetail;
  readonly namespace: string;
  readonly draft: NewDraft;
  readonly onClose: () => void;
}

/** What the copy will be, before it is made. */
export function CopyReview({ secret, namespace, draft, onClose }: CopyReviewProps) {
  const { create, isBusy, failure } = useCreate(namespace, draft);
  return (
    <ReviewDialog
      title={COPY_WORDS.confirmTitle(secret.name, `${namespace}/${draft.name}`)}
      confirm={COPY_WORDS.confirm}
      unchanged={COPY_WORDS.noKeys}
      changes={changedKeys(new Map(), secret.text)}
      fields={newFields(draft)}
      isBusy={isBusy}
      error={failure?.error}
      failureTitles={COPY_WORDS.failures}
      confirmedNotSaved={failure?.confirmedNotSaved ?? false}
      isCollision={false}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <LockoutWarning rules={draft} />
    </ReviewDialog>
  );
}
