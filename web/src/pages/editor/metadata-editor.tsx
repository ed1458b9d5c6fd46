import { FormGroup, TextInput } from '@patternfly/react-core';
import type { Draft } from '../../editing/draft.ts';
import { AccessEditor } from './access-editor.tsx';

export interface MetadataEditorProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** Description and access rules. */
export function MetadataEditor({ draft, onChange }: MetadataEditorProps) {
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
      />
      <AccessEditor
        id="allowed-users"
        label="Allowed users"
        placeholder="email address"
        entries={draft.allowedUsers}
        onChange={(allowedUsers) => onChange({ allowedUsers })}
      />
      <p className="hint">
        With both lists empty, whoever may work in the namespace may work with this Secret. With a rule that
        does not name you, you lose access yourself.
      </p>
    </>
  );
}
