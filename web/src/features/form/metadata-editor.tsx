import { FormGroup, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import type { Draft } from '../../editing/draft.ts';
import { descriptionProblem } from '../../editing/readiness.ts';
import { useMe } from '../../api/queries.ts';
import { groupWarning, userWarning } from '../../editing/access-entry.ts';
import { AccessEditor } from './access-editor.tsx';

/** Shown next to the button that is disabled because of it. */
export const INVALID_ENTRY = 'An access rule is not valid: correct or remove it.';

export interface MetadataEditorProps {
  readonly draft: Pick<Draft, 'description' | 'allowedGroups' | 'allowedUsers'>;
  /** The one that the Secret has. */
  readonly storedDescription?: string;
  readonly onChange: (change: Partial<Draft>) => void;
  /** Called with whether a field holds something that cannot be an entry: a save would leave it out. */
  readonly onInvalidEntry: (pending: boolean) => void;
}

/** Description and access rules. */
export function MetadataEditor({ draft, storedDescription, onChange, onInvalidEntry }: MetadataEditorProps) {
  const { data: me } = useMe();
  const [invalid, setInvalid] = useState({ groups: false, users: false });
  const report = (part: Partial<typeof invalid>) => {
    const next = { ...invalid, ...part };
    setInvalid(next);
    onInvalidEntry(next.groups || next.users);
  };
  return (
    <>
      <DescriptionField
        description={draft.description}
        problem={descriptionProblem(draft.description, storedDescription)}
        onChange={(description) => onChange({ description })}
      />
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

interface DescriptionFieldProps {
  readonly description: string;
  readonly problem: string | undefined;
  readonly onChange: (description: string) => void;
}

function DescriptionField({ description, problem, onChange }: DescriptionFieldProps) {
  const isInvalid = problem !== undefined;
  return (
    <FormGroup label="Description" fieldId="description">
      <TextInput
        id="description"
        value={description}
        autoComplete="off"
        validated={isInvalid ? 'error' : 'default'}
        aria-invalid={isInvalid}
        aria-describedby="description-help"
        onChange={(_event, next) => onChange(next)}
      />
      <HelperText id="description-help">
        {isInvalid && <HelperTextItem variant="error">{problem}</HelperTextItem>}
      </HelperText>
    </FormGroup>
  );
}
