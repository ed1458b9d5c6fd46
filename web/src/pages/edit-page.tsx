import { Alert, Button, Form, Title } from '@patternfly/react-core';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import { useSecret } from '../api/queries.ts';
import type { SecretDetail } from '../api/secrets-api.ts';
import { LinkButton } from '../components/link-button.tsx';
import { OriginNotice } from '../components/origin-notice.tsx';
import { changedKeys } from '../editing/changes.ts';
import { canBeSaved, draftOf, valuesOf, type Draft } from '../editing/draft.ts';
import { findConflict } from '../editing/merge.ts';
import { Problem } from '../shell/problem.tsx';
import { Loading, Screen } from '../shell/screen.tsx';
import { ConflictView } from './editor/conflict-view.tsx';
import { LeaveGuard } from './editor/leave-guard.tsx';
import { MetadataEditor } from './editor/metadata-editor.tsx';
import { ReviewDialog, type FieldChange } from './editor/review-dialog.tsx';
import { useEdit, valuesAreEditable, type Edit } from './editor/use-edit.ts';
import { ValuesEditor } from './editor/values-editor.tsx';

export function EditPage() {
  const { namespace = '', name = '' } = useParams();
  const { data, error, refetch } = useSecret({ namespace, name });
  if (data !== undefined) return <EditScreen secret={data} />;
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  return <Loading what="the Secret" />;
}

function EditScreen({ secret }: { readonly secret: SecretDetail }) {
  const edit = useEdit(secret);
  const list = `/namespaces/${secret.namespace}`;
  const here = `${list}/secrets/${secret.name}`;
  return (
    <Screen
      title={`Edit ${secret.name}`}
      crumbs={[
        { text: 'Namespaces', to: '/' },
        { text: secret.namespace, to: list },
        { text: secret.name, to: here },
        { text: 'Edit' },
      ]}
    >
      <LeaveGuard unsaved={edit.unsaved} />
      <div className="situation">
        <OriginNotice secret={secret} />
      </div>
      {edit.phase === 'conflict' && edit.theirs !== undefined ? (
        <Conflicted edit={edit} theirs={edit.theirs} />
      ) : (
        <EditForm edit={edit} here={here} />
      )}
    </Screen>
  );
}

function EditForm({ edit, here }: { readonly edit: Edit; readonly here: string }) {
  const { base, draft, change } = edit;
  const editable = valuesAreEditable(base);
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <MetadataEditor draft={draft} onChange={edit.edit} />
      <Title headingLevel="h2">Values</Title>
      {editable ? (
        <ValuesEditor type={base.type} rows={draft.rows} onChange={(rows) => edit.edit({ rows })} />
      ) : (
        <LockedValues secret={base} />
      )}
      <div className="actions form-end">
        <Button isDisabled={change === undefined || !canBeSaved(draft.rows)} onClick={edit.review}>
          Review and save
        </Button>
        <LinkButton to={here} variant="link">
          Cancel
        </LinkButton>
        <span role="status">{change === undefined ? 'Nothing is changed yet.' : ''}</span>
      </div>
      {edit.phase === 'review' && (
        <ReviewDialog
          title={`Save ${base.name}?`}
          confirm="Save"
          changes={changedKeys(base.text, valuesOf(draft.rows))}
          fields={fieldChanges(base, draft)}
          busy={edit.busy}
          error={edit.error}
          collision={edit.collision}
          onConfirm={(recover) => void edit.save(recover)}
          onClose={edit.back}
        />
      )}
    </Form>
  );
}

function LockedValues({ secret }: { readonly secret: SecretDetail }) {
  return (
    <Alert isInline variant="info" component="h3" title="The values cannot be edited here">
      <p>
        {secret.immutable
          ? 'This Secret is immutable: its values stay as they are for as long as it lives.'
          : `This Secret holds binary values (${[...secret.binary.keys()].join(', ')}), which an edit as text would damage. Description and access can be changed; the values stay byte for byte.`}
      </p>
    </Alert>
  );
}

function Conflicted({ edit, theirs }: { readonly edit: Edit; readonly theirs: SecretDetail }) {
  const { base, draft } = edit;
  const locked = !valuesAreEditable(theirs);
  // Values that cannot be saved any more are no part of the choice; what was typed stays in the form.
  const mine = useMemo(
    () => (locked ? { ...draft, rows: draftOf(theirs).rows } : draft),
    [locked, draft, theirs],
  );
  const conflict = useMemo(
    () => findConflict(locked ? { ...base, text: theirs.text } : base, theirs, mine),
    [locked, base, theirs, mine],
  );
  return (
    <ConflictView
      conflict={conflict}
      theirs={theirs}
      mine={mine}
      valuesLocked={locked && valuesAreEditable(base)}
      onResolved={edit.resolved}
      onBack={edit.back}
    />
  );
}

function fieldChanges(base: SecretDetail, draft: Draft): readonly FieldChange[] {
  const text = (value: string | readonly string[]) => (typeof value === 'string' ? value : value.join(', '));
  const fields = [
    { label: 'Description', before: base.description, after: draft.description },
    { label: 'Allowed groups', before: text(base.allowedGroups), after: text(draft.allowedGroups) },
    { label: 'Allowed users', before: text(base.allowedUsers), after: text(draft.allowedUsers) },
  ];
  return fields.filter(({ before, after }) => before !== after);
}
