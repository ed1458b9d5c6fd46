import { Alert, Form, FormGroup, Radio } from '@patternfly/react-core';
import { useState } from 'react';
import { hasAnyList, hasRules, levelOn, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { useApi } from '../../api/api-context.ts';
import { useMe, useNamespaceAccess } from '../../api/queries.ts';
import type { SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { AccessEffect } from '../form/access-effect.tsx';
import { LockoutWarning } from '../form/lockout-warning.tsx';
import { Sharing } from '../form/metadata-editor.tsx';
import { ShareEditor } from '../form/share-editor.tsx';
import { useKnownPrincipals } from '../form/use-known-principals.ts';
import { NO_RULES } from '../../editing/rules.ts';
import { useDirty } from '../../ui/dirty-forms.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useNotify } from '../../ui/notices.tsx';
import type { BulkJob } from './bulk-job.ts';
import { BulkResults, leftOf, useBulk } from './bulk-results.tsx';
import { changedRules, isSameRules, type RuleMode } from './changed-rules.ts';
import { counted } from '../../values/format.ts';

const MODE_LABELS = {
  add: 'Add to their rules',
  remove: 'Remove from their rules',
  replace: 'Replace their rules',
};

const MODES: readonly RuleMode[] = ['add', 'remove', 'replace'];

interface BulkAccessProps {
  readonly namespace: string;
  /** At least one. */
  readonly secrets: readonly SecretSummary[];
  readonly onClose: () => void;
}

/** Changes the access rules of one Secret, which are shown, or of several. */
export function BulkAccess({ namespace, secrets, onClose }: BulkAccessProps) {
  const api = useApi();
  const notify = useNotify();
  const [first, ...others] = secrets;
  const only = others.length === 0 ? first : undefined;
  const [mode, setMode] = useState<RuleMode>(only === undefined ? 'add' : 'replace');
  const [change, setChange] = useState<AccessRules>(only ?? NO_RULES);
  const [isInvalid, setInvalid] = useState(false);
  useDirty(isInvalid || !isSameRules(change, only ?? NO_RULES), 'typed');
  const affected = secrets.filter((secret) => !isSameRules(secret, changedRules(secret, mode, change)));
  const { run, stop, isRunning, outcomes } = useBulk(namespace);
  const { retried } = leftOf(affected, outcomes);
  const subject = only?.name ?? counted(affected.length, 'Secret');
  const onConfirm = async () => {
    const all = await run(retried, accessChange(api, mode, change));
    if (leftOf(affected, all).left.length > 0) return;
    notify(`Access to ${subject} changed.`);
    onClose();
  };
  return (
    <ConfirmDialog
      id="access"
      title={`Change access to ${only?.name ?? counted(secrets.length, 'Secret')}`}
      variant="medium"
      action="Change access"
      isReady={affected.length > 0 && !isInvalid}
      isBusy={isRunning}
      onConfirm={() => void onConfirm()}
      onStop={only === undefined ? stop : undefined}
      onClose={onClose}
      canRetry={retried.length > 0}
      failure={
        outcomes === undefined || isRunning ? undefined : (
          <BulkResults secrets={affected} outcomes={outcomes} verb="changed" />
        )
      }
    >
      <Form onSubmit={(event) => event.preventDefault()}>
        <RulesForm
          {...{ namespace, only, mode, change }}
          onMode={setMode}
          onChange={setChange}
          onInvalidEntry={setInvalid}
        />
      </Form>
      {only === undefined ? (
        <Effects {...{ namespace, mode, change }} secrets={affected} />
      ) : (
        <>
          <LockoutWarning before="manage" rules={change} namespace={namespace} />
          <AccessEffect before={only} after={change} namespace={namespace} />
        </>
      )}
    </ConfirmDialog>
  );
}

interface RulesFormProps {
  readonly namespace: string;
  /** Undefined: there are several, whose rules may differ. */
  readonly only: SecretSummary | undefined;
  readonly mode: RuleMode;
  readonly change: AccessRules;
  readonly onMode: (mode: RuleMode) => void;
  readonly onChange: (change: AccessRules) => void;
  readonly onInvalidEntry: (isInvalid: boolean) => void;
}

function RulesForm({ namespace, only, mode, change, onMode, ...hooks }: RulesFormProps) {
  const known = useKnownPrincipals(namespace);
  if (only !== undefined) return <Sharing {...{ namespace, ...hooks }} rules={change} stored={only} />;
  return (
    <>
      <FormGroup role="radiogroup" label="What to do" fieldId="bulk-mode">
        {MODES.map((one) => (
          <Radio
            key={one}
            id={`bulk-mode-${one}`}
            name="bulk-mode"
            label={MODE_LABELS[one]}
            isChecked={mode === one}
            onChange={() => onMode(one)}
          />
        ))}
      </FormGroup>
      <ShareEditor label={MODE_LABELS[mode]} rules={change} known={known} {...hooks} />
    </>
  );
}

interface EffectsProps extends Pick<RulesFormProps, 'namespace' | 'mode' | 'change'> {
  /** Those that the change is for. */
  readonly secrets: readonly SecretSummary[];
}

/** What the change means for who has access, where that is more than the entries say. */
function Effects({ namespace, secrets, mode, change }: EffectsProps) {
  const rules = secrets.map((secret) => ({ old: secret, next: changedRules(secret, mode, change) }));
  const closes = rules.filter(({ old, next }) => !hasRules(old) && hasRules(next)).length;
  const opens = rules.filter(({ old, next }) => hasRules(old) && !hasRules(next)).length;
  const narrows = rules.filter(
    ({ old, next }) => !hasAnyList(old) && hasAnyList(next) && !hasRules(next),
  ).length;
  const own = useOwnLevels(
    namespace,
    rules.map(({ next }) => next),
  );
  const of = (count: number) => counted(count, 'Secret');
  const warnings = [
    own.none > 0 &&
      `You may lose access to ${of(own.none)}: the rules name neither you nor any of your groups.`,
    own.limited > 0 && `You will no longer be able to manage ${of(own.limited)}.`,
    closes > 0 && `${of(closes)} had no rules. From now on, only those whom the new ones name have access.`,
    narrows > 0 &&
      `${of(narrows)} had no rules. People who can only read or write in the namespace lose access, unless the new ones name them.`,
    opens > 0 && `${of(opens)} will have no rules. Those of the namespace apply then.`,
  ].filter((text) => text !== false);
  return (
    <div aria-live="polite">
      {secrets.length === 0 && <p className="hint">No changes yet.</p>}
      {warnings.map((text) => (
        <Alert key={text} isInline isPlain variant="warning" component="p" title={text} />
      ))}
    </div>
  );
}

/** Of how many Secrets the rules leave one no access, or not all of it. Nothing while it is not known. */
function useOwnLevels(namespace: string, all: readonly AccessRules[]) {
  const { data: me } = useMe();
  const { data: within, isError } = useNamespaceAccess(namespace);
  const isKnown = within?.level !== undefined || isError;
  if (me === undefined || !isKnown || within?.admin === true) return { none: 0, limited: 0 };
  const own = all.filter(isError ? hasRules : hasAnyList);
  const levels = own.map((rules) => levelOn(me, rules, within?.level ?? 'none'));
  const none = levels.filter((level) => level === 'none').length;
  return { none, limited: levels.filter((level) => level !== 'manage').length - none };
}

function accessChange(api: SecretsApi, mode: RuleMode, change: AccessRules): BulkJob {
  return {
    send: async (secret) => {
      const rules = changedRules(secret, mode, change);
      await api.update(secret, { resourceVersion: secret.resourceVersion, ...rules });
      return { state: 'done' };
    },
    settle: (before, now) => {
      if (now === undefined) return { state: 'hidden' };
      if (now.creationTimestamp !== before.creationTimestamp) return { state: 'replaced' };
      if (now.resourceVersion === before.resourceVersion) return { state: 'same' };
      return { state: isSameRules(now, changedRules(before, mode, change)) ? 'done' : 'changed' };
    },
  };
}
