import { Alert, Button, Form } from '@patternfly/react-core';
import { useCallback, useMemo } from 'react';
import { useParams } from 'react-router';
import { useDescribedSecret, useExplanation } from '../../api/queries.ts';
import { allows, changedLists } from '../../editing/rules.ts';
import type { DescribedSecret } from '../../api/secrets-api.ts';
import type { StoredSecret } from '../../editing/stored-secret.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NoForm } from '../../ui/no-form.tsx';
import { OriginNotice } from '../../ui/origin-notice.tsx';
import { filledRows, draftOf, type RowsChange } from '../../editing/draft.ts';
import { countChanges, reviewedChanges } from '../../editing/row-state.ts';
import { findConflict } from '../../editing/merge.ts';
import { typedRows } from '../../editing/save-state.ts';
import { rowsProblem, textsProblem } from '../../editing/readiness.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { NewerVersion } from '../../ui/newer-version.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ConflictView } from './conflict-view.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { changedFields } from '../../editing/field-changes.ts';
import { INVALID_ENTRY } from '../form/metadata-editor.tsx';
import { MetadataSection } from './metadata-section.tsx';
import { UnsavableValues } from './unsavable-values.tsx';
import { useEdit, type Edit, useNewerVersion } from './use-edit.ts';
import { TypedValues } from '../form/typed-values.tsx';
import { detailPath } from '../../paths.ts';
import { counted } from '../../values/format.ts';
import { isStored } from '../../values/value.ts';
import { AccessEffect } from '../form/access-effect.tsx';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { ReviewDialog } from '../form/review-dialog.tsx';

export function EditPage() {
  const { namespace = '', name = '' } = useParams();
  const query = useDescribedSecret({ namespace, name });
  return (
    <QueryScreen query={query} what="the Secret" stale="shown">
      {(secret) => <EditScreen secret={secret} />}
    </QueryScreen>
  );
}

function EditScreen({ secret }: { readonly secret: DescribedSecret }) {
  const edit = useEdit(secret);
  const { data: access } = useExplanation(secret);
  return (
    <Screen>
      <LeaveGuard isDirty={edit.isDirty} isSaving={edit.isBusy} />
      <div className="situation">
        {!isServiceAccountToken(secret.type) && <OriginNotice secret={secret} />}
      </div>
      {isServiceAccountToken(secret.type) ? (
        // The service writes nothing of such a Secret.
        <NoForm secret={secret} title="The cluster manages this token">
          Service account tokens can be deleted here, but not changed.
        </NoForm>
      ) : !allows(access?.level, 'write') ? (
        // For those who come by a link: the Secret itself offers no edit to them.
        <NoForm secret={secret} title="You can read this Secret, but not change it">
          The Access tab shows who can change it, or give you access.
        </NoForm>
      ) : edit.phase.kind === 'conflict' ? (
        <Conflicted edit={edit} theirs={edit.phase.theirs} />
      ) : (
        <EditForm edit={edit} />
      )}
    </Screen>
  );
}

function EditForm({ edit }: { readonly edit: Edit }) {
  const { base, draft, dispatch } = edit;
  const editable = !base.immutable;
  const reason = whyNot(edit);
  const newer = useNewerVersion(base);
  const editRows = useCallback((change: RowsChange) => dispatch({ kind: 'editRows', change }), [dispatch]);
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      {newer !== undefined && (
        <NewerVersion secret={newer}>
          <Button variant="secondary" onClick={() => void edit.compareWith(newer)}>
            Compare with your changes
          </Button>
        </NewerVersion>
      )}
      <section aria-label="Values" className="form-part">
        <h2 className="pf-v6-screen-reader">Values</h2>
        {editable ? (
          <TypedValues type={base.type} rows={draft.rows} base={base.values} onChange={editRows} />
        ) : (
          <Alert isInline variant="info" component="h3" title="The values cannot be edited here">
            <p>This Secret is immutable, so its values cannot be changed.</p>
          </Alert>
        )}
      </section>
      <UnsavableValues rows={edit.unsavable} onDiscard={() => dispatch({ kind: 'discardUnsavable' })} />
      <MetadataSection edit={edit} isOpen={!editable} />
      <div className="actions form-end save-bar">
        <Button isDisabled={reason !== ''} onClick={() => dispatch({ kind: 'review' })}>
          Review and save
        </Button>
        <LinkButton to={detailPath(base)} variant="link">
          Cancel
        </LinkButton>
        <span role="status">{reason === '' ? counted(countOf(edit), 'change') : reason}</span>
      </div>
      {edit.phase.kind === 'review' && <EditReview edit={edit} />}
    </Form>
  );
}

/** How many keys and fields differ. */
function countOf({ base, draft }: Edit): number {
  const keys = base.immutable ? 0 : countChanges(base.values, filledRows(draft.rows));
  return keys + changedFields(base, draft).filter(({ before }) => before !== undefined).length;
}

/** Why there is nothing to review, in words; empty when there is. */
function whyNot({ base, draft, change, hasInvalidEntry }: Edit): string {
  if (hasInvalidEntry) return INVALID_ENTRY;
  if (change === undefined) return 'No changes yet.';
  // The service requires what the type demands only of values that are sent.
  const ruledBy = change.values === undefined ? undefined : base.type;
  const ofRows = base.immutable ? undefined : rowsProblem(filledRows(draft.rows), ruledBy);
  return ofRows ?? textsProblem(draft, base) ?? '';
}

function Conflicted({ edit, theirs }: { readonly edit: Edit; readonly theirs: StoredSecret }) {
  const { base, draft, dispatch } = edit;
  const locked = theirs.immutable;
  // Values that can no longer be saved are not part of the choice; they are shown beside it.
  const mine = useMemo(
    () => ({ ...draft, rows: locked ? draftOf(theirs).rows : filledRows(draft.rows) }),
    [locked, draft, theirs],
  );
  const conflict = useMemo(
    () => findConflict(locked ? { ...base, values: theirs.values } : base, theirs, mine),
    [locked, base, theirs, mine],
  );
  const lost = locked && !base.immutable ? typedRows(base, theirs, filledRows(draft.rows)) : [];
  return (
    <ConflictView
      conflict={conflict}
      base={base}
      theirs={theirs}
      mine={mine}
      unsavable={[...edit.unsavable, ...lost]}
      onResolved={(merged) => dispatch({ kind: 'resolve', merged })}
      onBack={() => dispatch({ kind: 'back' })}
    />
  );
}

/** The review of an edit; a Secret that no longer exists can be created again, unless it held bytes that are not here. */
function EditReview({ edit }: { readonly edit: Edit }) {
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
