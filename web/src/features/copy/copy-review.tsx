import type { StoredSecret } from '../../editing/stored-secret.ts';
import { changedKeys } from '../../editing/changes.ts';
import type { NewDraft } from '../../editing/draft-handover.ts';
import { useCreate } from '../create/use-create.ts';
import { newFields } from '../../editing/field-changes.ts';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { ReviewDialog } from '../form/review-dialog.tsx';

export interface CopyReviewProps {
  readonly secret: StoredSecret;
  readonly namespace: string;
  readonly draft: NewDraft;
  readonly onClose: () => void;
}

/** What the copy will be, before it is made. */
export function CopyReview({ secret, namespace, draft, onClose }: CopyReviewProps) {
  const { create, isBusy, failure } = useCreate(namespace, draft);
  return (
    <ReviewDialog
      title={`Copy ${secret.name} to ${namespace}/${draft.name}?`}
      confirm="Copy"
      unchanged="It has no keys."
      changes={changedKeys(new Map(), secret.values)}
      fields={newFields(draft)}
      isBusy={isBusy}
      error={failure?.error}
      failureTitles={{ unknown: 'It may or may not have been copied', failed: "Couldn't copy the Secret" }}
      confirmedNotSaved={failure?.confirmedNotSaved ?? false}
      isCollision={false}
      hasNote={false}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <LockoutWarning rules={draft} namespace={namespace} />
    </ReviewDialog>
  );
}
