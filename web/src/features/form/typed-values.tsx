import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { Row, RowsChange } from '../../editing/draft.ts';
import { builtInName, DOCKER_CONFIG_KEY } from '../../../../src/contract/secret-types.ts';
import { DockerForm } from './docker-form.tsx';
import { TlsNotice } from './tls-notice.tsx';
import { useRegistryList } from './registry-list.ts';
import { ValuesEditor } from './values-editor.tsx';

export interface TypedValuesProps {
  readonly type: string;
  readonly rows: readonly Row[];
  readonly onChange: (change: RowsChange) => void;
}

/** The values of a Secret, with a form of its own where the type has one. */
export function TypedValues({ type, rows, onChange }: TypedValuesProps) {
  const isConfig = ({ fixed, key }: Row) => fixed && key === DOCKER_CONFIG_KEY;
  const config = rows.find(isConfig)?.value ?? '';
  const { list, change } = useRegistryList(config, (value) =>
    onChange((now) => now.map((row) => (isConfig(row) ? { ...row, value } : row))),
  );
  const [asJson, setAsJson] = useState(false);
  const isDocker = builtInName(type) === 'dockerconfigjson';
  // It stays JSON while it is typed, also where the form could show what has come about.
  if (isDocker && list === undefined && !asJson) setAsJson(true);
  const hasForm = isDocker && !asJson && list !== undefined;
  return (
    <>
      {hasForm && <DockerForm registries={list} onChange={change} />}
      {isDocker && (
        <div className="row-actions">
          <Button variant="link" isInline isDisabled={list === undefined} onClick={() => setAsJson(!asJson)}>
            {asJson ? 'Edit as a form' : 'Edit as JSON'}
          </Button>
          {list === undefined && (
            <span className="hint">
              This configuration is more than a list of registries, users and passwords: no form can show all
              of it.
            </span>
          )}
        </div>
      )}
      <ValuesEditor
        type={type}
        rows={rows}
        elsewhere={hasForm ? DOCKER_CONFIG_KEY : undefined}
        onChange={onChange}
      />
      <TlsNotice type={type} rows={rows} />
    </>
  );
}
