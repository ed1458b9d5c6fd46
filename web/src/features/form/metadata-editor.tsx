import { FormGroup, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import type { Draft } from '../../editing/draft.ts';
import { descriptionProblem } from '../../editing/readiness.ts';
import { useMe } from '../../api/queries.ts';
import type { SessionUser } from '../../api/secrets-api.ts';
import type { AccessRules, RuleList } from '../../../../src/contract/access-rules.ts';
import { groupWarning, userWarning } from '../../editing/access-entry.ts';
import { RULE_LABELS } from '../../editing/rules.ts';
import { AccessEditor } from './access-editor.tsx';

/** Shown next to the button that is disabled because of it. */
export const INVALID_ENTRY = 'An access rule is not valid: correct or remove it.';

export interface MetadataEditorProps {
  readonly draft: Pick<Draft, 'description' | RuleList>;
  /** The one that the Secret has. */
  readonly storedDescription?: string;
  /** Left out for those who may not change access rules. */
  readonly withRules?: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
  /** Called with whether a field holds something that cannot be an entry: a save would leave it out. */
  readonly onInvalidEntry: (pending: boolean) => void;
}

/** Description and access rules. */
export function MetadataEditor(props: MetadataEditorProps) {
  const { draft, storedDescription, withRules = true, onChange, onInvalidEntry } = props;
  return (
    <>
      <DescriptionField
        description={draft.description}
        problem={descriptionProblem(draft.description, storedDescription)}
        onChange={(description) => onChange({ description })}
      />
      {withRules ? (
        <RuleEditors draft={draft} onChange={onChange} onInvalidEntry={onInvalidEntry} />
      ) : (
        <p className="hint">Only people who can manage this Secret can change who has access.</p>
      )}
    </>
  );
}

type RuleEditorsProps = Pick<MetadataEditorProps, 'draft' | 'onChange' | 'onInvalidEntry'>;

function RuleEditors({ draft, onChange, onInvalidEntry }: RuleEditorsProps) {
  const { data: me } = useMe();
  const [invalid, setInvalid] = useState<readonly RuleList[]>([]);
  const report = (list: RuleList, isInvalid: boolean) => {
    const next = [...invalid.filter((one) => one !== list), ...(isInvalid ? [list] : [])];
    setInvalid(next);
    onInvalidEntry(next.length > 0);
  };
  const editorOf = (list: RuleList) => (
    <RuleEditor key={list} list={list} rules={draft} me={me} onChange={onChange} onInvalid={report} />
  );
  return (
    <>
      {MANAGING.map(editorOf)}
      <p className="hint">
        Leave both lists empty to let everyone manage this Secret who can manage Secrets in the namespace. If
        the rules do not include you, you lose access.
      </p>
      <details open={LIMITED.some((list) => (draft[list]?.length ?? 0) > 0)}>
        <summary>People who can only write or read</summary>
        <div className="form-part">
          {LIMITED.map(editorOf)}
          <p className="hint">
            Who can write changes values and restores versions. Who can read sees values and history. Neither
            can delete the Secret or change these lists.
          </p>
        </div>
      </details>
    </>
  );
}

const MANAGING: readonly RuleList[] = ['allowedGroups', 'allowedUsers'];
const LIMITED: readonly RuleList[] = ['writerGroups', 'writerUsers', 'readerGroups', 'readerUsers'];

interface RuleEditorProps {
  readonly list: RuleList;
  readonly rules: AccessRules;
  readonly me: SessionUser | undefined;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onInvalid: (list: RuleList, isInvalid: boolean) => void;
}

function RuleEditor({ list, rules, me, onChange, onInvalid }: RuleEditorProps) {
  const entries = rules[list] ?? [];
  const ofGroups = list.endsWith('Groups');
  const known = me === undefined ? [] : ofGroups ? me.groups : [me.email];
  return (
    <AccessEditor
      id={list.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}
      label={RULE_LABELS[list]}
      placeholder={ofGroups ? 'exact name of a group' : 'email address'}
      entries={entries}
      warning={ofGroups ? groupWarning(entries, known) : userWarning(entries)}
      known={known}
      onChange={(changed) => onChange({ [list]: changed })}
      onInvalidEntry={(isInvalid) => onInvalid(list, isInvalid)}
    />
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
