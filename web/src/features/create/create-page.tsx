import { Button, Form, FormGroup, Title } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { newNameViolation } from '../../../../src/contract/names.ts';
import { DEFAULT_TYPE } from '../../../../src/contract/secret-types.ts';
import { useNamespaces } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { addRow, filledRows, type NewDraft, type RowsChange } from '../../editing/draft.ts';
import { rowsProblem, textsProblem } from '../../editing/readiness.ts';
import { rowsForType, SECRET_KINDS } from '../../editing/secret-types.ts';
import { listPath } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { useDirty } from '../../ui/dirty-forms.ts';
import { Screen, ScreenSkeleton } from '../../ui/screen.tsx';
import { Select } from '../../ui/select.tsx';
import { SlowWrite } from '../../ui/slow.tsx';
import { FieldMessage, NAME_INPUT, TextField } from '../../ui/text-field.tsx';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { INVALID_ENTRY, MetadataEditor } from '../form/metadata-editor.tsx';
import { SaveFailure } from '../form/review-dialog.tsx';
import { TypedValues } from '../form/typed-values.tsx';
import { useNameCheck } from '../form/use-name-check.ts';
import { useCreate } from './use-create.ts';

const EMPTY: NewDraft = {
  name: '',
  type: DEFAULT_TYPE,
  rows: addRow([]),
  description: '',
  allowedGroups: [],
  allowedUsers: [],
};

const REFUSED = (
  <Screen>
    <NoAccess title="You can't create Secrets here" wanted="write" />
  </Screen>
);

/** A form only for those whom the service lets create; while that cannot be found out, it is left to the service. */
export function CreatePage() {
  const { namespace = '' } = useParams();
  const { data, isPending } = useNamespaces();
  if (isPending) return <ScreenSkeleton what="the form" />;
  const mayCreate = data === undefined || data.some((one) => one.name === namespace && one.canCreate);
  // What was typed for another namespace is not for this one.
  return <CreateForm key={namespace} {...{ namespace, mayCreate }} />;
}

function CreateForm({ namespace, mayCreate }: { readonly namespace: string; readonly mayCreate: boolean }) {
  const [draft, setDraft] = useDraft(namespace);
  const [hasInvalidEntry, setHasInvalidEntry] = useState(false);
  const { create, isCreated, isBusy, failure } = useCreate(namespace, draft);
  const isTaken = useNameCheck(namespace, draft.name);
  const edit = (part: Partial<NewDraft>) => setDraft((old) => ({ ...old, ...part }));
  useDirty(draft !== EMPTY, 'typed', isCreated);
  const editRows = useCallback(
    (change: RowsChange) => setDraft((old) => ({ ...old, rows: change(old.rows) })),
    [setDraft],
  );
  const list = listPath(namespace);
  const reason = whyNot(draft, hasInvalidEntry);
  // What was typed before stays, and is left to the service.
  if (!mayCreate && draft === EMPTY) return REFUSED;
  return (
    <Screen>
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
        {failure !== undefined && <SaveFailure failure={failure} failureTitles={FAILURE_TITLES} />}
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
  const state = useState(() => queries.getQueryData<NewDraft>(queryKeys.draftHandover(namespace)) ?? EMPTY);
  useEffect(
    () => queries.removeQueries({ queryKey: queryKeys.draftHandover(namespace), exact: true }),
    [queries, namespace],
  );
  return state;
}

/** Why it cannot be created yet, in words; empty when it can. */
function whyNot({ name, type, rows, ...rest }: NewDraft, hasInvalidEntry: boolean): string {
  if (name === '') return 'Enter a name.';
  if (newNameViolation(name) !== undefined) return 'The name is not valid.';
  const problem = rowsProblem(filledRows(rows), type) ?? textsProblem(rest);
  return problem ?? (hasInvalidEntry ? INVALID_ENTRY : '');
}

interface NameAndTypeProps {
  readonly name: string;
  readonly type: string;
  /** A Secret of this name is known to exist. */
  readonly isTaken: boolean;
  readonly onName: (name: string) => void;
  readonly onType: (type: string) => void;
}

/** What cannot be changed afterwards. */
function NameAndType({ name, type, isTaken, onName, onType }: NameAndTypeProps) {
  // What is typed may begin like a known type, and is still being typed.
  const [isOwn, setOwn] = useState(false);
  const known = isOwn ? undefined : SECRET_KINDS.find((kind) => kind.type === type);
  const violation = name === '' ? undefined : newNameViolation(name);
  const choose = (value: string) => {
    setOwn(value === CUSTOM);
    onType(value === CUSTOM ? '' : value);
  };
  return (
    <>
      <TextField
        {...NAME_INPUT}
        id="name"
        label="Name"
        isRequired
        value={name}
        problem={violation && `The name ${violation}.`}
        // Not an error: it may be gone by the time that this one is created.
        warning={isTaken ? 'A Secret with this name exists already.' : undefined}
        help={'Lowercase letters, digits, "-" and "."; you can\'t change it later.'}
        onChange={onName}
      />
      <FormGroup label="Type" fieldId="type">
        <Select
          id="type"
          value={known === undefined ? CUSTOM : type}
          options={[
            ...SECRET_KINDS.map((kind) => [kind.type, kind.label] as const),
            [CUSTOM, 'Another type'],
          ]}
          onChange={choose}
        />
        <FieldMessage help={known?.about ?? 'Any type of your own; an empty one becomes Opaque.'} />
      </FormGroup>
      {known === undefined && (
        <TextField
          {...NAME_INPUT}
          id="custom-type"
          label="Type of your own"
          value={type}
          placeholder="example.com/my-type"
          onChange={onType}
        />
      )}
    </>
  );
}

const CUSTOM = '*';
