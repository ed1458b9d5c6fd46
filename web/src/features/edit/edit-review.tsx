import { filledRows } from '../../editing/draft.ts';
import { Button } from '@patternfly/react-core';
import { reviewedChanges } from '../../editing/row-state.ts';
import { changedFields } from '../../editing/field-changes.ts';
import { changedLists } from '../../editing/rules.ts';
import { isStored } from '../../values/value.ts';
import { AccessEffect } from '../form/access-effect.tsx';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { ReviewDialog } from '../form/review-dialog.tsx';
import type { Edit } from './use-edit.ts';

/** The review of an edit; a Secret that no longer exists can be created again, unless it held bytes that are not here. */
export function EditReview({ edit }: { readonly edit: Edit }) {
  const { base, draft, phase } = edit;
  const failure = phase.kind === 'review' ? phase.failure : undefined;
  const accessChanges = changedLists(base, draft).length > 0;
  // Values that were not shown here are gone with it.
  const canBeMadeAgain = failure?.isGone === true && draft.rows.every((row) => !isStored(row.value));
  return (
    <ReviewDialog
      title={`Save ${base.name}?`}
      confirm="Save"
      changes={reviewedChanges(base.values, filledRows(draft.rows))}
      fields={changedFields(base, draft)}
      isBusy={edit.isBusy}
      error={failure?.error}
      confirmedNotSaved={failure?.confirmedNotSaved ?? false}
      isCollision={failure?.isCollision ?? false}
      remedy={
        canBeMadeAgain && (
          <Button variant="secondary" onClick={edit.createAgain}>
            Create it again
          </Button>
        )
      }
      onConfirm={edit.save}
      onClose={() => edit.dispatch({ kind: 'back' })}
    >
      {accessChanges && <LockoutWarning before="manage" rules={draft} namespace={base.namespace} />}
      {failure?.savedPart !== undefined && (
        <p>The values are saved as version {failure.savedPart.version}.</p>
      )}
      {accessChanges && <AccessEffect before={base} after={draft} namespace={base.namespace} />}
    </ReviewDialog>
  );
}
