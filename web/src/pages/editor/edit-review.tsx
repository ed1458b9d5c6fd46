import { Button } from '@patternfly/react-core';
import { changedKeys } from '../../editing/changes.ts';
import { valuesOf } from '../../editing/draft.ts';
import { filledRows } from '../../editing/readiness.ts';
import { changedFields } from './field-changes.tsx';
import { LockoutWarning } from './lockout-warning.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import type { Edit } from './use-edit.ts';

/** The review of an edit; a Secret that is gone meanwhile can be made again, unless it held bytes that are not here. */
export function EditReview({ edit }: { readonly edit: Edit }) {
  const { base, draft, change, problem } = edit;
  const accessChanges = change?.allowedGroups !== undefined || change?.allowedUsers !== undefined;
  const canBeMadeAgain = problem?.gone === true && base.binary.size === 0;
  return (
    <ReviewDialog
      title={`Save ${base.name}?`}
      confirm="Save"
      changes={changedKeys(base.text, valuesOf(filledRows(draft.rows)))}
      fields={changedFields(base, draft)}
      busy={edit.busy}
      error={problem?.error}
      unsaved={problem?.unsaved ?? false}
      collision={problem?.collision ?? false}
      remedy={
        canBeMadeAgain && (
          <Button variant="secondary" onClick={edit.createAgain}>
            Create it again from this
          </Button>
        )
      }
      onConfirm={edit.save}
      onClose={edit.back}
    >
      {accessChanges && <LockoutWarning rules={draft} />}
    </ReviewDialog>
  );
}
