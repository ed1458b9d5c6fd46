import {
  Alert,
  AlertActionLink,
  FormGroup,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import type { Draft } from '../../editing/draft.ts';
import { descriptionProblem } from '../../editing/readiness.ts';
import { useNamespaceAccess } from '../../api/queries.ts';
import type { AccessRules, RuleList } from '../../../../src/contract/access-rules.ts';
import { NO_RULES } from '../../editing/rules.ts';
import { LEVEL_LABELS, losersOf, restOf, withShares, type Share } from '../../editing/sharing.ts';
import { ShareEditor } from './share-editor.tsx';
import { useKnownPrincipals } from './use-known-principals.ts';

/** Shown next to the button that is disabled because of it. */
export const INVALID_ENTRY = 'An access rule is not valid: correct or remove it.';

export interface MetadataEditorProps {
  readonly draft: Pick<Draft, 'description' | RuleList>;
  /** The one that the Secret has. */
  readonly storedDescription?: string;
  readonly namespace: string;
  /** Those that the Secret has; left out for a new one. */
  readonly storedRules?: AccessRules;
  /** False for those who may not change access rules. */
  readonly withRules?: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
  /** Called with whether a field holds something that cannot be an entry: a save would leave it out. */
  readonly onInvalidEntry: (pending: boolean) => void;
}

/** Description and access rules. */
export function MetadataEditor(props: MetadataEditorProps) {
  const { draft, storedDescription, withRules = true, onChange } = props;
  return (
    <>
      <DescriptionField
        description={draft.description}
        problem={descriptionProblem(draft.description, storedDescription)}
        onChange={(description) => onChange({ description })}
      />
      {withRules ? (
        <Sharing {...props} rules={draft} />
      ) : (
        <p className="hint">Only people who can manage this Secret can change who has access.</p>
      )}
    </>
  );
}

export interface SharingProps extends Pick<
  MetadataEditorProps,
  'namespace' | 'storedRules' | 'onInvalidEntry'
> {
  readonly rules: AccessRules;
  readonly onChange: (rules: AccessRules) => void;
}

/** Who has access, and whom a change would leave out. */
export function Sharing({
  rules,
  namespace,
  storedRules = NO_RULES,
  onChange,
  onInvalidEntry,
}: SharingProps) {
  const known = useKnownPrincipals(namespace);
  const { data: within } = useNamespaceAccess(namespace);
  const losers = losersOf(storedRules, rules, within?.namespaceRules);
  return (
    <>
      <ShareEditor
        label="Who has access"
        rules={rules}
        rest={restOf(rules, namespace)}
        known={known}
        onChange={onChange}
        onInvalidEntry={onInvalidEntry}
      />
      {losers.length > 0 && (
        <Alert
          isInline
          isLiveRegion
          variant="warning"
          component="h3"
          title={`These rules leave out people of the namespace ${namespace}`}
          actionLinks={
            <AlertActionLink onClick={() => onChange(withShares(rules, losers))}>Keep them</AlertActionLink>
          }
        >
          <p>{namesOf(losers)}</p>
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

function namesOf(losers: readonly Share[]): string {
  const named = losers.slice(0, NAMED).map(({ entry, level }) => `${entry} ${LEVEL_LABELS[level]}`);
  const more = losers.length - named.length;
  return `So far: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
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
