import { Button, Checkbox, Form, FormGroup } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import type { StoredSecret } from '../../editing/stored-secret.ts';
import { draftOf, type NewDraft } from '../../editing/draft.ts';
import { fieldsOf, newFields, NO_FIELDS } from '../../editing/fields.ts';
import { RULE_LISTS } from '../../../../src/contract/access-rules.ts';
import { newNameViolation } from '../../../../src/contract/names.ts';
import { DUPLICATE_HASH, detailPath } from '../../paths.ts';
import { Select } from '../../ui/select.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { NAME_INPUT, TextField } from '../../ui/text-field.tsx';
import { useNameCheck } from '../form/use-name-check.ts';
import { changedKeys } from '../../editing/changes.ts';
import { useCreate } from '../create/use-create.ts';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { ReviewDialog } from '../form/review-dialog.tsx';

export interface CopyFormProps {
  readonly secret: StoredSecret;
  readonly targets: readonly string[];
}

/**
 * Where the copy goes and what goes along. A duplicate begins beside its original; anything else with its name, in a namespace
 * that is chosen unless there is one alone.
 */
function useTarget({ secret, targets }: CopyFormProps) {
  const isDuplicate = useLocation().hash === DUPLICATE_HASH && targets.includes(secret.namespace);
  const [target, setTarget] = useState(() => {
    const namespace = isDuplicate ? secret.namespace : targets.length === 1 ? (targets[0] ?? '') : '';
    const name = namespace === secret.namespace ? `${secret.name}-copy` : secret.name;
    return { namespace, name, withDescription: true, withRules: true };
  });
  const { name, withDescription, withRules } = target;
  const draft = useMemo<NewDraft>(
    () => ({
      // The same values expire at the same time.
      ...draftOf(secret),
      ...(withDescription ? {} : { description: '' }),
      ...(withRules ? {} : fieldsOf(NO_FIELDS, RULE_LISTS)),
      ...{ name, type: secret.type },
    }),
    [secret, name, withDescription, withRules],
  );
  const change = (part: Partial<typeof target>) => setTarget((old) => ({ ...old, ...part }));
  return { ...target, change, draft };
}

/** Chooses the target of a copy. */
export function CopyForm({ secret, targets }: CopyFormProps) {
  const { namespace, name, withDescription, withRules, change, draft } = useTarget({ secret, targets });
  const [reviewing, setReviewing] = useState(false);
  const isTaken = useNameCheck(namespace, name);
  const isSame = namespace === secret.namespace && name === secret.name;
  const violation = newNameViolation(name);
  const problem = isSame ? 'Choose another name or namespace.' : violation && `The name ${violation}.`;
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <FormGroup label="To namespace" fieldId="copy-namespace">
        <Select
          id="copy-namespace"
          value={namespace}
          placeholder="Choose a namespace"
          options={targets.map((one) => [one, one])}
          onChange={(chosen) => change({ namespace: chosen })}
        />
      </FormGroup>
      <TextField
        {...NAME_INPUT}
        id="copy-name"
        label="Name of the copy"
        value={name}
        problem={problem}
        warning={isTaken ? 'A Secret with this name exists already.' : undefined}
        onChange={(typed) => change({ name: typed })}
      />
      <Checkbox
        id="copy-description"
        label="Copy the description"
        isChecked={withDescription}
        onChange={(_event, checked) => change({ withDescription: checked })}
      />
      <Checkbox
        id="copy-rules"
        label="Copy the access rules"
        isChecked={withRules}
        onChange={(_event, checked) => change({ withRules: checked })}
      />
      <div className="actions form-end">
        <Button isDisabled={problem !== undefined || namespace === ''} onClick={() => setReviewing(true)}>
          Review and copy
        </Button>
        <LinkButton to={detailPath(secret)} variant="link">
          Cancel
        </LinkButton>
      </div>
      {reviewing && (
        <CopyReview secret={secret} namespace={namespace} draft={draft} onClose={() => setReviewing(false)} />
      )}
    </Form>
  );
}

interface CopyReviewProps {
  readonly secret: StoredSecret;
  readonly namespace: string;
  readonly draft: NewDraft;
  readonly onClose: () => void;
}

/** What the copy will be, before it is made. */
function CopyReview({ secret, namespace, draft, onClose }: CopyReviewProps) {
  const { create, isBusy, failure } = useCreate(namespace, draft);
  return (
    <ReviewDialog
      title={`Copy ${secret.name} to ${namespace}/${draft.name}?`}
      confirm="Copy"
      unchanged="It has no keys."
      changes={changedKeys(new Map(), secret.values)}
      fields={newFields(draft)}
      isBusy={isBusy}
      failure={failure}
      failureTitles={{ unknown: 'It may or may not have been copied', failed: "Couldn't copy the Secret" }}
      hasNote={false}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <LockoutWarning rules={draft} namespace={namespace} />
    </ReviewDialog>
  );
}
