import { Button, Checkbox, Form, FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import type { StoredSecret } from '../../editing/stored-secret.ts';
import type { NewDraft } from '../../editing/draft-handover.ts';
import { draftOf, textsOf } from '../../editing/draft.ts';
import { NO_RULES } from '../../editing/rules.ts';
import { rulesOf } from '../../../../src/contract/access-rules.ts';
import { newNameViolation } from '../../../../src/contract/names.ts';
import { DUPLICATE_HASH, detailPath } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NAME_INPUT, TextField } from '../../ui/text-field.tsx';
import { useNameCheck } from '../form/use-name-check.ts';
import { changedKeys } from '../../editing/changes.ts';
import { useCreate } from '../create/use-create.ts';
import { newFields } from '../../editing/field-changes.ts';
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
  const only = targets.length === 1 ? targets[0] : undefined;
  const [namespace, setNamespace] = useState(isDuplicate ? secret.namespace : (only ?? ''));
  const [name, setName] = useState(namespace === secret.namespace ? `${secret.name}-copy` : secret.name);
  const [withDescription, setWithDescription] = useState(true);
  const [withRules, setWithRules] = useState(true);
  const draft = useMemo<NewDraft>(
    () => ({
      ...draftOf({
        values: secret.values,
        type: secret.type,
        // The same values expire at the same time.
        ...textsOf(secret),
        description: withDescription ? secret.description : '',
        ...(withRules ? rulesOf(secret) : NO_RULES),
      }),
      name,
      type: secret.type,
    }),
    [secret, name, withDescription, withRules],
  );
  const chosen = { namespace, setNamespace, name, setName };
  return { ...chosen, withDescription, setWithDescription, withRules, setWithRules, draft };
}

/** Chooses the target of a copy. */
export function CopyForm({ secret, targets }: CopyFormProps) {
  const target = useTarget({ secret, targets });
  const { namespace, name, draft } = target;
  const [reviewing, setReviewing] = useState(false);
  const isSame = namespace === secret.namespace && name === secret.name;
  const violation = newNameViolation(name);
  const problem = isSame
    ? 'Choose another name or namespace.'
    : violation === undefined
      ? undefined
      : `The name ${violation}.`;
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <TargetFields {...{ secret, targets, target, problem }} />
      <Checkbox
        id="copy-description"
        label="Copy the description"
        isChecked={target.withDescription}
        onChange={(_event, checked) => target.setWithDescription(checked)}
      />
      <Checkbox
        id="copy-rules"
        label="Copy the access rules"
        isChecked={target.withRules}
        onChange={(_event, checked) => target.setWithRules(checked)}
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

interface TargetFieldsProps extends CopyFormProps {
  readonly target: ReturnType<typeof useTarget>;
  readonly problem: string | undefined;
}

function TargetFields({ targets, target, problem }: TargetFieldsProps) {
  const { namespace, name } = target;
  const isTaken = useNameCheck(namespace, name);
  return (
    <>
      <FormGroup label="To namespace" fieldId="copy-namespace">
        <FormSelect
          id="copy-namespace"
          value={namespace}
          onChange={(_event, chosen) => target.setNamespace(chosen)}
        >
          {namespace === '' && <FormSelectOption value="" label="Choose a namespace" isPlaceholder />}
          {targets.map((one) => (
            <FormSelectOption key={one} value={one} label={one} />
          ))}
        </FormSelect>
      </FormGroup>
      <TextField
        {...NAME_INPUT}
        id="copy-name"
        label="Name of the copy"
        value={name}
        problem={problem}
        warning={isTaken ? 'A Secret with this name exists already.' : undefined}
        onChange={target.setName}
      />
    </>
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
      error={failure?.error}
      failureTitles={{ unknown: 'It may or may not have been copied', failed: "Couldn't copy the Secret" }}
      confirmedNotSaved={failure?.confirmedNotSaved ?? false}
      isCollision={false}
      hasNote={false}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <LockoutWarning rules={draft} namespace={namespace} />
    </ReviewDialog>
  );
}
