import {
  Alert,
  Button,
  Checkbox,
  FormGroup,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { ApiError } from '../../api/wire.ts';
import { messageOf, RequestId } from '../../shell/problem.tsx';
import { useNotice } from '../../shell/notices.tsx';

export interface DeleteDialogProps {
  readonly secret: SecretDetail;
  readonly onClose: () => void;
  /** The Secret is still there and has changed, or is going: load it anew. */
  readonly onReload: () => void;
}

/** Asks for the name, and whether the history stays. */
export function DeleteDialog({ secret, onClose, onReload }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const [keepHistory, setKeepHistory] = useState(false);
  const { remove, busy, error } = useDelete(secret, onClose, onReload);
  return (
    <Modal
      isOpen
      variant="small"
      onClose={onClose}
      aria-labelledby="delete-title"
      aria-describedby="delete-body"
    >
      <ModalHeader title={`Delete ${secret.name}?`} labelId="delete-title" titleIconVariant="danger" />
      <ModalBody id="delete-body">
        <p>Workloads that use this Secret may fail when they start again.</p>
        <FormGroup label={`Type ${secret.name} to confirm`} fieldId="delete-name">
          <TextInput
            id="delete-name"
            value={typed}
            autoComplete="off"
            onChange={(_event, value) => setTyped(value)}
          />
        </FormGroup>
        <Checkbox
          id="keep-history"
          label="Keep the history"
          description="The archived versions stay in the namespace. They never attach to a new Secret of this name."
          isChecked={keepHistory}
          onChange={(_event, checked) => setKeepHistory(checked)}
        />
        {error !== undefined && <DeleteProblem error={error} onReload={onReload} />}
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isDisabled={typed !== secret.name || busy}
          isLoading={busy}
          onClick={() => void remove(keepHistory)}
        >
          Delete
        </Button>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </ModalFooter>
    </Modal>
  );
}

function useDelete(secret: SecretDetail, onClose: () => void, onReload: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useNotice();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const remove = async (keepHistory: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      const result = await api.remove(secret, secret.resourceVersion, keepHistory);
      const history = result.history === 'retained' ? 'Its history is kept.' : 'Its history is cleaned.';
      await queries.invalidateQueries({ queryKey: ['list', secret.namespace] });
      if (result.status === 'deleted') {
        tell(`${secret.name} is deleted. ${history}`);
        await navigate(`/namespaces/${secret.namespace}`);
      } else {
        tell(`The deletion of ${secret.name} is pending. ${history}`);
        onClose();
        onReload();
      }
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { remove, busy, error };
}

function DeleteProblem({ error, onReload }: { readonly error: unknown; readonly onReload: () => void }) {
  const changed = error instanceof ApiError && error.status === 409;
  return (
    <Alert
      isInline
      variant="danger"
      component="h2"
      title={changed ? 'This Secret has changed since you opened it' : 'It could not be deleted'}
      actionLinks={
        changed && (
          <Button variant="secondary" onClick={onReload}>
            Reload and look again
          </Button>
        )
      }
    >
      <p>{messageOf(error)}.</p>
      {changed && <p>Nothing was deleted, so that you do not delete what you have not seen.</p>}
      <RequestId error={error} />
    </Alert>
  );
}
