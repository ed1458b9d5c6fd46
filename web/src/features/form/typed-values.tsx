import { Button, Label } from '@patternfly/react-core';
import UndoIcon from '@patternfly/react-icons/dist/esm/icons/undo-icon';
import { useState, useMemo } from 'react';
import { isStored, type FormValues, type Value } from '../../values/value.ts';
import type { Row, RowChange, RowsChange } from '../../editing/draft.ts';
import { stateOf, undoRow } from '../../editing/row-state.ts';
import { fieldsOfType, NO_FORM } from '../../editing/secret-types.ts';
import {
  builtInName,
  DOCKER_CONFIG_KEY,
  LEGACY_DOCKER_CONFIG_KEY,
} from '../../../../src/contract/secret-types.ts';
import { DockerForm, useRegistryList } from './docker-form.tsx';
import { useStoredText } from './use-stored-text.ts';
import { ValuesEditor } from './values-editor.tsx';
import { useNow } from '../../ui/use-now.ts';
import { WarningList } from '../../ui/warning-list.tsx';
import { tlsTexts } from '../../values/tls-check.ts';

export interface TypedValuesProps {
  readonly type: string;
  readonly rows: readonly Row[];
  /** The values of the Secret as it was loaded; undefined for a new one. */
  readonly base?: FormValues;
  readonly onChange: (change: RowsChange) => void;
}

const CONFIG_KEYS: ReadonlyMap<string | undefined, string> = new Map([
  ['dockerconfigjson', DOCKER_CONFIG_KEY],
  ['dockercfg', LEGACY_DOCKER_CONFIG_KEY],
]);

/** The values of a Secret, with a form of its own where the type has one, or by their keys. */
export function TypedValues({ type, rows, base, onChange }: TypedValuesProps) {
  const configKey = CONFIG_KEYS.get(builtInName(type));
  const isConfig = ({ fixed, key }: Row) => fixed && key === configKey;
  const config = rows.find(isConfig);
  const changeConfig = (part: RowChange) =>
    onChange((now) => now.map((row) => (isConfig(row) ? { ...row, ...part } : row)));
  const { list, change } = useRegistryList(
    configKey ?? '',
    typeof config?.value === 'string' ? config.value : '',
    (value) => changeConfig({ value }),
  );
  const [asKeys, setAsKeys] = useState(false);
  const isRegistry = configKey !== undefined;
  const fields = fieldsOfType(type);
  // It stays text while it is typed, also where the form could show what has come about.
  if (isRegistry && list === undefined && !asKeys) setAsKeys(true);
  const hasForm = isRegistry && !asKeys && list !== undefined;
  return (
    <>
      {hasForm && config !== undefined && base !== undefined && (
        <ConfigState
          row={config}
          base={base}
          onUndo={() => onChange((now) => undoRow(base, now, config.id))}
        />
      )}
      {hasForm && <StoredConfig value={config?.value} onLoad={changeConfig} />}
      {hasForm && !isStored(config?.value) && (
        // What comes from elsewhere has a new id, and nothing of it is shown for what was shown before.
        <DockerForm key={config?.id} registries={list} onChange={change} />
      )}
      <ValuesEditor
        type={type}
        rows={rows}
        base={base}
        elsewhere={hasForm ? configKey : undefined}
        fields={asKeys ? NO_FORM : fields}
        onChange={onChange}
      />
      {(isRegistry || fields.size > 0) && (
        <div className="row-actions">
          <Button
            variant="link"
            isInline
            isDisabled={isRegistry && list === undefined}
            onClick={() => setAsKeys(!asKeys)}
          >
            {asKeys ? 'Show the form' : 'Show the raw keys'}
          </Button>
          {isRegistry && list === undefined && (
            <span className="hint">
              This configuration has more than registries, users and passwords, or too many for a form.
            </span>
          )}
        </div>
      )}
      <TlsNotice type={type} rows={rows} />
    </>
  );
}

interface StoredConfigProps {
  readonly value: Value | undefined;
  readonly onLoad: (change: RowChange) => void;
}

/** In the place of the list, while the registries are not in this page. */
function StoredConfig({ value, onLoad }: StoredConfigProps) {
  const { load, note } = useStoredText(value, (loaded) => onLoad({ value: loaded.text, loaded }));
  if (!isStored(value)) return null;
  return (
    <div className="row-actions">
      <Button variant="secondary" onClick={() => void load()}>
        Show and edit the registries
      </Button>
      <span role="status" className="hint">
        {note}
      </span>
    </div>
  );
}

interface ConfigStateProps {
  readonly row: Row;
  readonly base: FormValues;
  readonly onUndo: () => void;
}

/** That the list of registries differs from that of the Secret, and the way back. */
function ConfigState({ row, base, onUndo }: ConfigStateProps) {
  if (stateOf(base, row) === 'same') return null;
  return (
    <div className="row-actions">
      <Label isCompact color="blue">
        changed
      </Label>
      <Button variant="link" isInline icon={<UndoIcon />} onClick={onUndo}>
        Undo the changes of the registries
      </Button>
    </div>
  );
}

/** Warns of a certificate and a key that will hardly work, once both are filled in. It stops no one from saving. */
function TlsNotice({ type, rows }: { readonly type: string; readonly rows: readonly Row[] }) {
  const now = useNow();
  const texts = useMemo(() => {
    const values = new Map(rows.map(({ key, value }) => [key, typeof value === 'string' ? value : '']));
    const isFilled = (key: string) => (values.get(key) ?? '') !== '';
    const isComplete = builtInName(type) === 'tls' && isFilled('tls.crt') && isFilled('tls.key');
    return isComplete ? tlsTexts(values, now) : [];
  }, [type, rows, now]);
  return <WarningList texts={texts} isLive />;
}
