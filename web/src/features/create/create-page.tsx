import { Button, Form, Title } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { useNamespaces } from '../../api/queries.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { filledRows, addRow, type RowsChange } from '../../editing/draft.ts';
import { forgetHandedOverDraft, handedOverDraft, type NewDraft } from '../../editing/draft-handover.ts';
import { rowsProblem, textsProblem } from '../../editing/readiness.ts';
import { DEFAULT_TYPE } from '../../../../src/contract/secret-types.ts';
import { rowsForType } from '../../editing/secret-types.ts';
import { newNameViolation } from '../../../../src/contract/names.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ScreenSkeleton } from '../../ui/screen.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { MetadataEditor, INVALID_ENTRY } from '../form/metadata-editor.tsx';
import { NameAndType } from './name-and-type.tsx';
import { SaveFailure } from '../form/save-failure.tsx';
import { TypedValues } from '../form/typed-values.tsx';
import { useNameCheck } from '../form/use-name-check.ts';
import { useCreate } from './use-create.ts';
import { listPath } from '../../paths.ts';
import { SlowWrite } from '../../ui/slow.tsx';

const EMPTY: NewDraft = {
  name: '',
  type: DEFAULT_TYPE,
  rows: addRow([]),
  description: '',
  allowedGroups: [],
  allowedUsers: [],
};

/** A form only for those whom the service lets create; while that cannot be found out, it is left to the service. */
export function CreatePage() {
  const { namespace = '' } = useParams();
  const { data, isPending } = useNamespaces();
  if (isPending) return <ScreenSkeleton what="the form" />;
  const found = data?.find(({ name }) => name === namespace);
  if (data !== undefined && found?.canCreate !== true) {
    return (
      <Screen>
        <NoAccess title="You can't create Secrets here" wanted="write" />
      </Screen>
    );
  }
  return <CreateForm namespace={namespace} />;
}

function CreateForm({ namespace }: { readonly namespace: string }) {
  const [draft, setDraft] = useDraft(namespace);
  const [hasInvalidEntry, setHasInvalidEntry] = useState(false);
  const { create, isCreated, isBusy, failure } = useCreate(namespace, draft);
  const isTaken = useNameCheck(namespace, draft.name);
  const edit = (part: Partial<NewDraft>) => setDraft((old) => ({ ...old, ...part }));
  const isDirty = useCallback(() => !isCreated.current && draft !== EMPTY, [isCreated, draft]);
  const editRows = useCallback(
    (change: RowsChange) => setDraft((old) => ({ ...old, rows: change(old.rows) })),
    [setDraft],
  );
  const list = listPath(namespace);
  const reason = whyNot(draft, hasInvalidEntry);
  return (
    <Screen>
      <LeaveGuard isDirty={isDirty} isSaving={isBusy} />
      <Form onSubmit={(event) => event.preventDefault()}>
        <NameAndType
          name={draft.name}
          type={draft.type}
          isTaken={isTaken}
          onName={(name) => edit({ name })}
          onType={(type) => edit({ type, rows: rowsForType(type, draft.rows) })}
        />
        <Title headingLevel="h2">Values</Title>
        <TypedValues type={draft.type} rows={draft.rows} onChange={editRows} />
        <Title headingLevel="h2">Description and access</Title>
        <MetadataEditor
          draft={draft}
          namespace={namespace}
          onChange={edit}
          onInvalidEntry={setHasInvalidEntry}
        />
        <LockoutWarning rules={draft} namespace={namespace} />
        {failure !== undefined && <SaveFailure {...failure} failureTitles={FAILURE_TITLES} />}
        <SlowWrite isBusy={isBusy} />
        <div className="actions form-end save-bar">
          <Button isDisabled={reason !== '' || isBusy} isLoading={isBusy} onClick={() => void create()}>
            Create
          </Button>
          <LinkButton to={list} variant="link">
            Cancel
          </LinkButton>
          <span role="status">{reason}</span>
        </div>
      </Form>
    </Screen>
  );
}

const FAILURE_TITLES = {
  unknown: 'It may or may not have been created',
  failed: "Couldn't create the Secret",
};

/** Starts empty, or with what the form of a Secret that is gone has handed over. */
function useDraft(namespace: string) {
  const queries = useQueryClient();
  const state = useState(() => handedOverDraft(queries, namespace) ?? EMPTY);
  useEffect(() => forgetHandedOverDraft(queries, namespace), [queries, namespace]);
  return state;
}

/** Why it cannot be created yet, in words; empty when it can. */
function whyNot({ name, type, rows, ...rest }: NewDraft, hasInvalidEntry: boolean): string {
  if (name === '') return 'Enter a name.';
  if (newNameViolation(name) !== undefined) return 'The name is not valid.';
  const problem = rowsProblem(filledRows(rows), type) ?? textsProblem(rest);
  return problem ?? (hasInvalidEntry ? INVALID_ENTRY : '');
}
