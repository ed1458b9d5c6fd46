import { Button, Checkbox, Form, FormGroup } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { RULE_LISTS } from '../../../../src/contract/access-rules.ts';
import { newNameViolation } from '../../../../src/contract/names.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { useApi } from '../../api/api-context.ts';
import { useDescribedSecret, useNamespaces } from '../../api/queries.ts';
import type { DescribedSecret } from '../../api/secrets-api.ts';
import { changedKeys } from '../../editing/changes.ts';
import { draftOf, type NewDraft } from '../../editing/draft.ts';
import { fieldsOf, newFields, NO_FIELDS } from '../../editing/fields.ts';
import { storedSecret, type StoredSecret } from '../../editing/stored-secret.ts';
import { detailPath, DUPLICATE_HASH } from '../../paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { NoForm } from '../../ui/no-form.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Select } from '../../ui/select.tsx';
import { NAME_INPUT, TextField } from '../../ui/text-field.tsx';
import { useCreate } from '../create/use-create.ts';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { ReviewDialog } from '../form/review-dialog.tsx';
import { useNameCheck } from '../form/use-name-check.ts';

/** A copy under another name or in another namespace. The values are read for it, and are never in an address. */
export function CopyPage() {
  const { namespace = '', name = '' } = useParams();
  const query = useDescribedSecret({ namespace, name });
  const namespaces = useNamespaces();
  const data = namespaces.data && query.data;
  return (
    <QueryScreen
      query={{ ...query, data, error: query.error ?? namespaces.error }}
      what="the Secret"
      stale="shown"
    >
      {(secret) => (
        <Screen>
          <Content
            described={secret}
            targets={(namespaces.data ?? []).filter(({ canCreate }) => canCreate).map((one) => one.name)}
          />
        </Screen>
      )}
    </QueryScreen>
  );
}

interface ContentProps {
  readonly described: DescribedSecret;
  /** Where the reader can create Secrets. */
  readonly targets: readonly string[];
}

function Content({ described, targets }: ContentProps) {
  const api = useApi();
  const secret = useMemo(() => storedSecret(api, described), [api, described]);
  const isToken = isServiceAccountToken(secret.type);
  if (!isToken && targets.length > 0) return <CopyForm secret={secret} targets={targets} />;
  return (
    <NoForm secret={secret} title="This Secret cannot be copied">
      {isToken
        ? 'The cluster makes service account tokens itself, one for each service account.'
        : 'You cannot create Secrets in any namespace. Contact an administrator.'}
    </NoForm>
  );
}

interface CopyFormProps {
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
function CopyForm({ secret, targets }: CopyFormProps) {
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
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <LockoutWarning rules={draft} namespace={namespace} />
    </ReviewDialog>
  );
}
