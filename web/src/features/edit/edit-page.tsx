import { Alert, Button, Form } from '@patternfly/react-core';
import { useCallback, useMemo, useRef } from 'react';
import { useParams } from 'react-router';
import { useDescribedSecret, useExplanation } from '../../api/queries.ts';
import { allows, changedLists } from '../../editing/rules.ts';
import type { DescribedSecret } from '../../api/secrets-api.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NoForm } from '../../ui/no-form.tsx';
import { OriginNotice } from '../../ui/origin-notice.tsx';
import { draftOf, type RowsChange } from '../../editing/draft.ts';
import { reviewedChanges } from '../../editing/row-state.ts';
import { rowsProblem, textsProblem } from '../../editing/readiness.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { useFocusNext } from '../../ui/use-focus-next.ts';
import { NewerVersion } from '../../ui/newer-version.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ConflictView, UnsavableValues } from './conflict-view.tsx';
import { changedFields, fieldChanges } from '../../editing/fields.ts';
import { INVALID_ENTRY } from '../form/metadata-editor.tsx';
import { MetadataSection } from './metadata-section.tsx';
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
  const form = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext();
  const toForm = () => focusNext(() => form.current?.querySelector('.save-bar :is(button:enabled, a)'));
  return (
    <Screen>
      <div className="situation">
        {!isServiceAccountToken(secret.type) && <OriginNotice secret={secret} />}
      </div>
      {isServiceAccountToken(secret.type) ? (
        // The service writes nothing of such a Secret.
        <NoForm secret={secret} title="The cluster manages this token">
          Service account tokens can be deleted here, but not changed.
        </NoForm>
      ) : edit.change === undefined && !allows(access?.level, 'write') ? (
        // For those who come by a link: the Secret itself offers no edit to them. What was typed before stays.
        <NoForm secret={secret} title="You can read this Secret, but not change it">
          The Access tab shows who can change it, or give you access.
        </NoForm>
      ) : (
        <>
          {edit.phase.kind === 'conflict' && (
            <ConflictView edit={edit} theirs={edit.phase.theirs} onLeave={toForm} />
          )}
          {/* What is typed in it stays for someone who comes back from the conflict. */}
          <div ref={form} hidden={edit.phase.kind === 'conflict'}>
            <EditForm edit={edit} />
          </div>
        </>
      )}
    </Screen>
  );
}

function EditForm({ edit }: { readonly edit: Edit }) {
  const { base, draft, unsavable, dispatch } = edit;
  const editable = !base.immutable;
  const reason = whyNot(edit);
  const newer = useNewerVersion(base);
  const editRows = useCallback(
    (change: RowsChange) => dispatch({ kind: 'edit', change: ({ rows }) => ({ rows: change(rows) }) }),
    [dispatch],
  );
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
      <UnsavableValues rows={unsavable} onDiscard={() => editRows(() => draftOf(base).rows)} />
      <MetadataSection key={edit.resolved} edit={edit} isOpen={!editable} />
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
function countOf({ base, wanted }: Edit): number {
  return reviewedChanges(base.values, wanted.rows).length + changedFields(base, wanted).length;
}

/** Why there is nothing to review, in words; empty when there is. */
function whyNot({ base, wanted, change, hasInvalidEntry }: Edit): string {
  if (hasInvalidEntry) return INVALID_ENTRY;
  if (change === undefined) return 'No changes yet.';
  // The service requires what the type demands only of values that are sent.
  const ruledBy = change.values === undefined ? undefined : base.type;
  return rowsProblem(wanted.rows, ruledBy) ?? textsProblem(wanted, base) ?? '';
}

/** The review of an edit; a Secret that no longer exists can be created again, unless it held bytes that are not here. */
function EditReview({ edit }: { readonly edit: Edit }) {
  const { base, draft, wanted, change, phase } = edit;
  const failure = phase.kind === 'review' ? phase.failure : undefined;
  const changes = useMemo(() => reviewedChanges(base.values, wanted.rows), [base.values, wanted.rows]);
  const accessChanges = changedLists(base, draft).length > 0;
  // Values that were not shown here are gone with it.
  const canBeMadeAgain = failure?.isGone === true && draft.rows.every((row) => !isStored(row.value));
  return (
    <ReviewDialog
      title={`Save ${base.name}?`}
      confirm="Save"
      changes={changes}
      fields={fieldChanges(base, draft)}
      note={edit.note}
      isBusy={edit.isBusy}
      failure={failure}
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
      {failure?.savedPart !== undefined && change?.values === undefined && (
        <p>The values are saved as version {failure.savedPart.version}.</p>
      )}
      {accessChanges && <AccessEffect before={base} after={draft} namespace={base.namespace} />}
    </ReviewDialog>
  );
}
