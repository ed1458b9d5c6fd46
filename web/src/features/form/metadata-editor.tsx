import { FormGroup, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import type { Draft } from '../../editing/draft.ts';
import { useMe } from '../../api/queries.ts';
import { groupWarning, userWarning } from '../../editing/access-entry.ts';
import { AccessEditor } from './access-editor.tsx';

/** Shown next to the button that is disabled because of it. */
export const INVALID_ENTRY = 'An access rule is not valid: correct or remove it.';

export interface MetadataEditorProps {
  readonly draft: Pick<Draft, 'description' | 'allowedGroups' | 'allowedUsers'>;
  readonly onChange: (change: Partial<Draft>) => void;
  /** Called with whether a field holds something that cannot be an entry: a save would leave it out. */
  readonly onInvalidEntry: (pending: boolean) => void;
}

/** Description and access rules. */
export function MetadataEditor({ draft, onChange, onInvalidEntry }: MetadataEditorProps) {
  const { data: me } = useMe();
  const [invalid, setInvalid] = useState({ groups: false, users: false });
  const report = (part: Partial<typeof invalid>) => {
    const next = { ...invalid, ...part };
    setInvalid(next);
    onInvalidEntry(next.groups || next.users);
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
        warning={groupWarning(draft.allowedGroups, me?.groups ?? [])}
        known={me?.groups ?? []}
        onChange={(allowedGroups) => onChange({ allowedGroups })}
        onInvalidEntry={(groups) => report({ groups })}
      />
      <AccessEditor
        id="allowed-users"
        label="Allowed users"
        placeholder="email address"
        entries={draft.allowedUsers}
        warning={userWarning(draft.allowedUsers)}
        known={me === undefined ? [] : [me.email]}
        onChange={(allowedUsers) => onChange({ allowedUsers })}
        onInvalidEntry={(users) => report({ users })}
      />
      <p className="hint">
        Leave both lists empty to give access to everyone with access to the namespace. If the rules do not
        include you, you lose access.
      </p>
    </>
  );
}
