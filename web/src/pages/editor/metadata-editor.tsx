import { FormGroup, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import type { Draft } from '../../editing/draft.ts';
import { AccessEditor } from './access-editor.tsx';

/** Said beside the button that waits for it. */
export const PENDING_ENTRY = 'An entry of the access rules is not valid: correct it, or empty its field.';

export interface MetadataEditorProps {
  readonly draft: Pick<Draft, 'description' | 'allowedGroups' | 'allowedUsers'>;
  readonly onChange: (change: Partial<Draft>) => void;
  /** Told whether something is typed that cannot be an entry: saving without it would leave somebody out, or let all in. */
  readonly onPending: (pending: boolean) => void;
}

/** Description and access rules. */
export function MetadataEditor({ draft, onChange, onPending }: MetadataEditorProps) {
  const [pending, setPending] = useState({ groups: false, users: false });
  const report = (part: Partial<typeof pending>) => {
    const next = { ...pending, ...part };
    setPending(next);
    onPending(next.groups || next.users);
  };
  return (
    <>
      <FormGroup label="Description" fieldId="description">
        <TextInput
          id="description"
          value={draft.description}
          autoComplete="off"
          onChange={(_event, description) => onChange({ description })}
        />
      </FormGroup>
      <AccessEditor
        id="allowed-groups"
        label="Allowed groups"
        placeholder="exact name of a group"
        entries={draft.allowedGroups}
        onChange={(allowedGroups) => onChange({ allowedGroups })}
        onPending={(groups) => report({ groups })}
      />
      <AccessEditor
        id="allowed-users"
        label="Allowed users"
        placeholder="email address"
        entries={draft.allowedUsers}
        onChange={(allowedUsers) => onChange({ allowedUsers })}
        onPending={(users) => report({ users })}
      />
      <p className="hint">
        With both lists empty, whoever may work in the namespace may work with this Secret. With a rule that
        does not name you, you lose access yourself.
      </p>
    </>
  );
}
