import { Button, Form, Title } from '@patternfly/react-core';
import { useCallback, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.ts';
import { LinkButton } from '../components/link-button.tsx';
import { changedKeys } from '../editing/changes.ts';
import { addRow, canBeSaved, valuesOf, type Draft, type Row } from '../editing/draft.ts';
import { DOCKER, OPAQUE, rowsForType } from '../editing/secret-types.ts';
import { isSecretName } from '../rules/contract.ts';
import { Screen } from '../shell/screen.tsx';
import { useNotice } from '../shell/notices.tsx';
import { DOCKER_KEY } from '../values/registries.ts';
import { DockerForm } from './editor/docker-form.tsx';
import { LeaveGuard } from './editor/leave-guard.tsx';
import { MetadataEditor } from './editor/metadata-editor.tsx';
import { NameAndType } from './editor/name-and-type.tsx';
import { ReviewDialog } from './editor/review-dialog.tsx';
import { ValuesEditor } from './editor/values-editor.tsx';

interface NewDraft extends Draft {
  readonly name: string;
  readonly type: string;
}

const EMPTY: NewDraft = {
  name: '',
  type: OPAQUE,
  rows: addRow([]),
  description: '',
  allowedGroups: [],
  allowedUsers: [],
};

export function CreatePage() {
  const { namespace = '' } = useParams();
  const [draft, setDraft] = useState(EMPTY);
  const [reviewing, setReviewing] = useState(false);
  const { create, created, busy, error } = useCreate(namespace);
  const edit = (part: Partial<NewDraft>) => setDraft((old) => ({ ...old, ...part }));
  const unsaved = useCallback(() => !created.current && draft !== EMPTY, [created, draft]);
  const rows = filledRows(draft.rows);
  const list = `/namespaces/${namespace}`;
  return (
    <Screen
      title="Create a Secret"
      crumbs={[{ text: 'Namespaces', to: '/' }, { text: namespace, to: list }, { text: 'Create' }]}
    >
      <LeaveGuard unsaved={unsaved} />
      <Form onSubmit={(event) => event.preventDefault()}>
        <NameAndType
          name={draft.name}
          type={draft.type}
          onName={(name) => edit({ name })}
          onType={(type) => edit({ type, rows: rowsForType(type, draft.rows) })}
        />
        <Title headingLevel="h2">Values</Title>
        {draft.type === DOCKER && (
          <DockerForm onChange={(value) => edit({ rows: withValue(draft.rows, DOCKER_KEY, value) })} />
        )}
        <ValuesEditor
          type={draft.type}
          rows={draft.rows}
          elsewhere={draft.type === DOCKER ? [DOCKER_KEY] : []}
          onChange={(changed) => edit({ rows: changed })}
        />
        <Title headingLevel="h2">About it</Title>
        <MetadataEditor draft={draft} onChange={edit} />
        <div className="actions form-end">
          <Button
            isDisabled={!isSecretName(draft.name) || !canBeSaved(rows)}
            onClick={() => setReviewing(true)}
          >
            Review and create
          </Button>
          <LinkButton to={list} variant="link">
            Cancel
          </LinkButton>
        </div>
      </Form>
      {reviewing && (
        <ReviewDialog
          title={`Create ${draft.name}?`}
          confirm="Create"
          changes={changedKeys(new Map(), valuesOf(rows))}
          busy={busy}
          error={error}
          collision={false}
          onConfirm={() => void create({ ...draft, rows })}
          onClose={() => setReviewing(false)}
        />
      )}
    </Screen>
  );
}

/** Rows that nobody has touched do not count. */
function filledRows(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ key, value, fixed }) => fixed || key !== '' || value !== '');
}

function withValue(rows: readonly Row[], key: string, value: string): readonly Row[] {
  return rows.map((row) => (row.key === key ? { ...row, value } : row));
}

function useCreate(namespace: string) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useNotice();
  const created = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const create = async ({ rows, ...draft }: NewDraft) => {
    setBusy(true);
    setError(undefined);
    try {
      await api.create(namespace, { ...draft, data: valuesOf(rows) });
      created.current = true;
      await queries.invalidateQueries({ queryKey: ['list', namespace] });
      tell(`${draft.name} is created.`);
      await navigate(`/namespaces/${namespace}/secrets/${draft.name}`);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { create, created, busy, error };
}
