import { Alert, AlertActionLink } from '@patternfly/react-core';
import { useState } from 'react';
import { FIELD_LABELS, type Fields } from '../../editing/fields.ts';
import { textProblems } from '../../editing/readiness.ts';
import { useNamespaceAccess } from '../../api/queries.ts';
import type { AccessRules } from '../../../../src/contract/access-rules.ts';
import { NO_RULES } from '../../editing/rules.ts';
import { firstOf } from '../../values/format.ts';
import { fromEditor, lineEndings, toEditor } from '../../values/lines.ts';
import { LEVEL_LABELS, losersOf, restOf, withShares } from '../../editing/sharing.ts';
import { TextField } from '../../ui/text-field.tsx';
import { ShareEditor } from './share-editor.tsx';
import { useKnownPrincipals } from './use-known-principals.ts';

/** Shown next to the button that is disabled because of it. */
export const INVALID_ENTRY = 'An access rule is not valid: correct or remove it.';

export interface MetadataEditorProps {
  readonly draft: Fields;
  readonly namespace: string;
  /** Those that the Secret has; left out for a new one. */
  readonly stored?: Fields;
  /** False for those who may not change access rules. */
  readonly withRules?: boolean;
  readonly onChange: (change: Partial<Fields>) => void;
  /** Called with whether a field holds something that cannot be an entry: a save would leave it out. */
  readonly onInvalidEntry: (pending: boolean) => void;
}

/** Description, expiry and access rules. */
export function MetadataEditor(props: MetadataEditorProps) {
  const { draft, stored, withRules = true, onChange } = props;
  const { description, expiresAt = '', rotateEvery = '' } = draft;
  const problems = textProblems(draft, stored);
  // Before the first keystroke, after which a field may have other line breaks, or none.
  const [endings] = useState(() => lineEndings(description));
  return (
    <>
      <TextField
        id="description"
        label={FIELD_LABELS.description}
        isMultiline={endings !== 'none'}
        value={toEditor(description)}
        problem={problems.description}
        onChange={(text) => onChange({ description: fromEditor(text, endings) })}
      />
      {/* Both remind people, and change nothing. */}
      <TextField
        id="expires-on"
        label={FIELD_LABELS.expiresAt}
        type="date"
        className="short-field"
        value={expiresAt.slice(0, 10)}
        problem={problems.expiresAt}
        help="You get a reminder from the start of this day, in UTC. Nothing is deleted."
        onChange={(day) => onChange({ expiresAt: day === '' ? '' : `${day}T00:00:00Z` })}
      />
      <TextField
        id="rotate-every"
        className="short-field"
        label={FIELD_LABELS.rotateEvery}
        value={rotateEvery}
        problem={problems.rotateEvery}
        help="For example 90d or 12h. You get a reminder this long after the last change of the values."
        onChange={(period) => onChange({ rotateEvery: period })}
      />
      {withRules ? (
        <Sharing {...props} rules={draft} />
      ) : (
        <p className="hint">Only people who can manage this Secret can change who has access.</p>
      )}
    </>
  );
}

export interface SharingProps extends Pick<MetadataEditorProps, 'namespace' | 'onInvalidEntry'> {
  readonly rules: AccessRules;
  readonly stored?: AccessRules;
  readonly onChange: (rules: AccessRules) => void;
}

/** Who has access, and whom a change would leave out. */
export function Sharing({ rules, namespace, stored = NO_RULES, onChange, onInvalidEntry }: SharingProps) {
  const known = useKnownPrincipals(namespace);
  const { data: within } = useNamespaceAccess(namespace);
  const [restarts, setRestarts] = useState(0);
  const losers = losersOf(stored, rules, within?.namespaceRules);
  const soFar = losers.map(({ entry, level }) => `${entry} ${LEVEL_LABELS[level]}`);
  const keep = () => {
    // The editor begins again with these rules: it would go on from those before the entry that is being typed.
    setRestarts(restarts + 1);
    onInvalidEntry(false);
    onChange(withShares(rules, losers));
  };
  return (
    <>
      <ShareEditor
        key={restarts}
        label="Who has access"
        rules={rules}
        rest={restOf(rules, namespace)}
        {...{ known, onChange, onInvalidEntry }}
      />
      {losers.length > 0 && (
        <Alert
          isInline
          isLiveRegion
          variant="warning"
          component="h3"
          title={`These rules leave out people of the namespace ${namespace}`}
          actionLinks={<AlertActionLink onClick={keep}>Keep them</AlertActionLink>}
        >
          <p>
            So far: <bdi>{firstOf(soFar, NAMED)}</bdi>.
          </p>
        </Alert>
      )}
      <p className="hint">
        Who can read sees values and history. Who can write also changes values and restores versions. Who can
        manage also deletes the Secret and changes this table.
      </p>
    </>
  );
}

/** More are in the review. */
const NAMED = 8;
