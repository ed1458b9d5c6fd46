import { FormGroup, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import type { Draft } from '../../editing/draft.ts';
import { useMe } from '../../api/queries.ts';
import { groupWarning, userWarning } from '../../editing/access-entry.ts';
import { AccessEditor } from './access-editor.tsx';
import { COMMON_WORDS } from '../../words/common.ts';
import { METADATA_EDITOR_WORDS } from '../../words/form.ts';

/** Shown next to the button that is disabled because of it. */
export const INVALID_ENTRY = METADATA_EDITOR_WORDS.notValid;

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
      <FormGroup label={COMMON_WORDS.description} fieldId="description">
        <TextInput
          id="description"
          value={draft.description}
          autoComplete="off"
          onChange={(_event, description) => onChange({ description })}
        />
      </FormGroup>
      <AccessEditor
        id="allowed-groups"
        label={COMMON_WORDS.allowedGroups}
        placeholder={METADATA_EDITOR_WORDS.groupHint}
        entries={draft.allowedGroups}
        warning={groupWarning(draft.allowedGroups, me?.groups ?? [])}
        known={me?.groups ?? []}
        onChange={(allowedGroups) => onChange({ allowedGroups })}
        onInvalidEntry={(groups) => report({ groups })}
      />
      <AccessEditor
        id="allowed-users"
        label={COMMON_WORDS.allowedUsers}
        placeholder={METADATA_EDITOR_WORDS.userHint}
        entries={draft.allowedUsers}
        warning={userWarning(draft.allowedUsers)}
        known={me === undefined ? [] : [me.email]}
        onChange={(allowedUsers) => onChange({ allowedUsers })}
        onInvalidEntry={(users) => report({ users })}
      />
      <p className="hint">{METADATA_EDITOR_WORDS.explain}</p>
    </>
  );
}
