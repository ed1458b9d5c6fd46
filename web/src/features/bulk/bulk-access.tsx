import { Alert, Form, FormGroup, Radio } from '@patternfly/react-core';
import { useState } from 'react';
import { hasRules, isExcluded, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { useApi } from '../../api/api-context.ts';
import { useIsAdmin, useMe } from '../../api/queries.ts';
import type { SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { groupWarning, userWarning } from '../../editing/access-entry.ts';
import { AccessEditor } from '../form/access-editor.tsx';
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
  const [change, setChange] = useState(NO_RULES);
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const groups = useMe().data?.groups ?? [];
  const affected = secrets.filter((secret) => !isSameRules(secret, changedRules(secret, mode, change)));
  const [sent, setSent] = useState<readonly SecretSummary[]>();
  const { run, stop, isRunning, outcomes } = useBulk(namespace, sent ?? affected);
  const reportInvalid = (field: string) => (isInvalid: boolean) =>
    setInvalid((old) => new Set(isInvalid ? [...old, field] : [...old].filter((one) => one !== field)));
  return (
    <BulkDialog
      title={`Change access to ${counted(secrets.length, 'Secret')}`}
      isDanger={false}
      secrets={sent ?? affected}
      outcomes={outcomes}
      isRunning={isRunning}
      isReady={affected.length > 0 && invalid.size === 0}
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
        <AccessEditor
          id="bulk-groups"
          label="Groups"
          placeholder="team-a"
          entries={change.allowedGroups}
          warning={mode === 'remove' ? undefined : groupWarning(change.allowedGroups, groups)}
          known={groups}
          onChange={(allowedGroups) => setChange((old) => ({ ...old, allowedGroups }))}
          onInvalidEntry={reportInvalid('groups')}
        />
        <AccessEditor
          id="bulk-users"
          label="Users"
          placeholder="ada@example.com"
          entries={change.allowedUsers}
          warning={userWarning(change.allowedUsers)}
          onChange={(allowedUsers) => setChange((old) => ({ ...old, allowedUsers }))}
          onInvalidEntry={reportInvalid('users')}
        />
      </Form>
      <Effects secrets={affected} mode={mode} change={change} />
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
  /** Those that the change is for. */
  readonly secrets: readonly SecretSummary[];
  readonly mode: RuleMode;
  readonly change: AccessRules;
}

/** What the change means for who has access, where that is more than the entries say. */
function Effects({ secrets, mode, change }: EffectsProps) {
  const { data: me } = useMe();
  const rules = secrets.map((secret) => ({ old: secret, next: changedRules(secret, mode, change) }));
  const closes = rules.filter(({ old, next }) => !hasRules(old) && hasRules(next)).length;
  const opens = rules.filter(({ old, next }) => hasRules(old) && !hasRules(next)).length;
  const leftOut = me === undefined ? 0 : rules.filter(({ next }) => isExcluded(me, next)).length;
  const isAdmin = useIsAdmin(leftOut > 0);
  const excludes = isAdmin === false || isAdmin === 'unknown' ? leftOut : 0;
  const of = (count: number) => counted(count, 'Secret');
  const warnings = [
    excludes > 0 &&
      `You may lose access to ${of(excludes)}: the rules name neither you nor any of your groups.`,
    closes > 0 && `${of(closes)} had no rules. From now on, only those whom the new ones name have access.`,
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
