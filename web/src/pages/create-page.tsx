import { Button, Form, Title } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { LinkButton } from '../components/link-button.tsx';
import { changedKeys } from '../editing/changes.ts';
import { addRow, valuesOf, type RowsChange } from '../editing/draft.ts';
import { forgetHandedOver, handedOver, type NewDraft } from '../editing/handover.ts';
import { filledRows, rowsProblem } from '../editing/readiness.ts';
import { DEFAULT_TYPE } from '../../../src/contract/secret-types.ts';
import { rowsForType } from '../editing/secret-types.ts';
import { newNameViolation } from '../../../src/contract/names.ts';
import { Screen } from '../shell/screen.tsx';
import { newFields } from './editor/field-changes.tsx';
import { LeaveGuard } from './editor/leave-guard.tsx';
import { LockoutWarning } from './editor/lockout-warning.tsx';
import { MetadataEditor, PENDING_ENTRY } from './editor/metadata-editor.tsx';
import { NameAndType } from './editor/name-and-type.tsx';
import { ReviewDialog } from './editor/review-dialog.tsx';
import { TypedValues } from './editor/typed-values.tsx';
import { useCreate } from './editor/use-create.ts';
import { listPath } from '../paths.ts';

const EMPTY: NewDraft = {
  name: '',
  type: DEFAULT_TYPE,
  rows: addRow([]),
  description: '',
  allowedGroups: [],
  allowedUsers: [],
};

export function CreatePage() {
  const { namespace = '' } = useParams();
  const [draft, setDraft] = useDraft(namespace);
  const [pending, setPending] = useState(false);
  const [reviewing, setReviewing] = useState(false);
  const { create, settled, busy, problem, clear } = useCreate(namespace, draft);
  const edit = (part: Partial<NewDraft>) => setDraft((old) => ({ ...old, ...part }));
  const unsaved = useCallback(() => !settled.current && draft !== EMPTY, [settled, draft]);
  const editRows = useCallback(
    (change: RowsChange) => setDraft((old) => ({ ...old, rows: change(old.rows) })),
    [setDraft],
  );
  const list = listPath(namespace);
  const reason = whyNot(draft, pending);
  return (
    <Screen
      title="Create a Secret"
      crumbs={[{ text: 'Namespaces', to: '/' }, { text: namespace, to: list }, { text: 'Create' }]}
    >
      <LeaveGuard unsaved={unsaved} saving={busy} />
      <Form onSubmit={(event) => event.preventDefault()}>
        <NameAndType
          name={draft.name}
          type={draft.type}
          onName={(name) => edit({ name })}
          onType={(type) => edit({ type, rows: rowsForType(type, draft.rows) })}
        />
        <Title headingLevel="h2">Values</Title>
        <TypedValues type={draft.type} rows={draft.rows} onChange={editRows} />
        <Title headingLevel="h2">About it</Title>
        <MetadataEditor draft={draft} onChange={edit} onPending={setPending} />
        <div className="actions form-end">
          <Button
            isDisabled={reason !== ''}
            onClick={() => {
              clear();
              setReviewing(true);
            }}
          >
            Review and create
          </Button>
          <LinkButton to={list} variant="link">
            Cancel
          </LinkButton>
          <span role="status">{reason}</span>
        </div>
      </Form>
      {reviewing && (
        <ReviewDialog
          title={`Create ${draft.name}?`}
          confirm="Create"
          unchanged="It has no keys yet."
          changes={changedKeys(new Map(), valuesOf(filledRows(draft.rows)))}
          fields={newFields(draft)}
          busy={busy}
          error={problem?.error}
          unsaved={problem?.unsaved ?? false}
          collision={false}
          onConfirm={() => void create(() => setReviewing(false))}
          onClose={() => setReviewing(false)}
        >
          <LockoutWarning rules={draft} />
        </ReviewDialog>
      )}
    </Screen>
  );
}

/** Starts empty, or with what the form of a Secret that is gone has handed over. */
function useDraft(namespace: string) {
  const queries = useQueryClient();
  const state = useState(() => handedOver(queries, namespace) ?? EMPTY);
  useEffect(() => forgetHandedOver(queries, namespace), [queries, namespace]);
  return state;
}

/** Why there is nothing to review, in words; empty when there is. */
function whyNot({ name, type, rows }: NewDraft, pending: boolean): string {
  if (name === '') return 'A name is missing.';
  if (newNameViolation(name) !== undefined) return 'The name is not a valid one.';
  return rowsProblem(filledRows(rows), type) ?? (pending ? PENDING_ENTRY : '');
}
