import { Alert, Form, FormGroup, Radio } from '@patternfly/react-core';
import { useState } from 'react';
import { hasAnyList, hasRules, levelOn, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { useApi } from '../../api/api-context.ts';
import { useMe, useNamespaceAccess } from '../../api/queries.ts';
import type { SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { ShareEditor } from '../form/share-editor.tsx';
import { useKnownPrincipals } from '../form/use-known-principals.ts';
import { NO_RULES } from '../../editing/rules.ts';
import type { BulkActionProps } from './bulk-delete.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkJob } from './bulk-job.ts';
import { changedRules, isSameRules, type RuleMode } from './changed-rules.ts';
import { useBulk } from './use-bulk.ts';
import { counted } from '../../values/format.ts';

const MODE_LABELS = {
  add: 'Add to their rules',
  remove: 'Remove from their rules',
  replace: 'Replace their rules',
};

const MODES: readonly RuleMode[] = ['add', 'remove', 'replace'];

/** Changes the access rules of several Secrets. */
export function BulkAccess({ namespace, secrets, onClose }: BulkActionProps) {
  const api = useApi();
  const [mode, setMode] = useState<RuleMode>('add');
  const [change, setChange] = useState<AccessRules>(NO_RULES);
  const [isInvalid, setInvalid] = useState(false);
  const known = useKnownPrincipals(namespace);
  const affected = secrets.filter((secret) => !isSameRules(secret, changedRules(secret, mode, change)));
  const [sent, setSent] = useState<readonly SecretSummary[]>();
  const { run, stop, isRunning, outcomes } = useBulk(namespace, sent ?? affected);
  return (
    <BulkDialog
      title={`Change access to ${counted(secrets.length, 'Secret')}`}
      isDanger={false}
      secrets={sent ?? affected}
      outcomes={outcomes}
      isRunning={isRunning}
      isReady={affected.length > 0 && !isInvalid}
      action={`Change ${counted(affected.length, 'Secret')}`}
      done="Changed"
      onRun={() => {
        setSent(affected);
        void run(accessChange(api, mode, change));
      }}
      onStop={stop}
      onClose={onClose}
    >
      <Form onSubmit={(event) => event.preventDefault()}>
        <Modes mode={mode} onChange={setMode} />
        <ShareEditor
          label={MODE_LABELS[mode]}
          rules={change}
          known={known}
          onChange={setChange}
          onInvalidEntry={setInvalid}
        />
      </Form>
      <Effects namespace={namespace} secrets={affected} mode={mode} change={change} />
    </BulkDialog>
  );
}

interface ModesProps {
  readonly mode: RuleMode;
  readonly onChange: (mode: RuleMode) => void;
}

function Modes({ mode, onChange }: ModesProps) {
  return (
    <FormGroup role="radiogroup" label="What to do" fieldId="bulk-mode">
      {MODES.map((one) => (
        <Radio
          key={one}
          id={`bulk-mode-${one}`}
          name="bulk-mode"
          label={MODE_LABELS[one]}
          isChecked={mode === one}
          onChange={() => onChange(one)}
        />
      ))}
    </FormGroup>
  );
}

interface EffectsProps {
  readonly namespace: string;
  /** Those that the change is for. */
  readonly secrets: readonly SecretSummary[];
  readonly mode: RuleMode;
  readonly change: AccessRules;
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
      {secrets.length === 0 && <p className="hint">That changes nothing.</p>}
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
      return 'done';
    },
    settle: (before, now) => {
      if (now === undefined) return 'hidden';
      if (now.creationTimestamp !== before.creationTimestamp) return 'replaced';
      if (now.resourceVersion === before.resourceVersion) return 'same';
      return isSameRules(now, changedRules(before, mode, change)) ? 'done' : 'changed';
    },
  };
}
