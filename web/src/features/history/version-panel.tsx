import { Button, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import type { SecretRef, SecretSummary, VersionList, VersionSummary } from '../../api/secrets-api.ts';
import { NewerVersionError } from '../../api/unread-value.ts';
import type { ReadValue } from '../detail/named-value.ts';
import { ValuesPanel } from '../detail/values-panel.tsx';
import { bringPanelIntoSight, Compare, nameOf } from './compare.tsx';
import type { State, useHistoryAddress } from './use-history-address.ts';

export interface VersionPanelProps {
  readonly secret: SecretRef;
  /** Undefined while it is not known, or when it is of another version than the list. */
  readonly live: SecretSummary | undefined;
  readonly list: VersionList;
  /** When the list was loaded. After that the values may have changed, so a new time reads them again. */
  readonly loadedAt: number;
  readonly state: State;
  readonly address: Pick<ReturnType<typeof useHistoryAddress>, 'other' | 'compare'>;
}

/** What a version changed against the one before it, or how it differs from any other; of the oldest, all its keys. */
export function VersionPanel({ secret, live, list, loadedAt, state, address }: VersionPanelProps) {
  const states = statesOf(list);
  const before = states[states.indexOf(state) + 1];
  const other = address.other !== undefined && states.includes(address.other) ? address.other : before;
  const archived = list.versions.find(({ version }) => version === state);
  const [showsKeys, setShowsKeys] = useState(false);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    bringPanelIntoSight(place.current);
  }, []);
  const showsValues = archived !== undefined && (showsKeys || other === undefined);
  const isNewer = other !== undefined && states.indexOf(other) < states.indexOf(state);
  return (
    <section
      ref={place}
      tabIndex={-1}
      className="version-panel"
      aria-label={
        showsValues || other === undefined
          ? nameOf(state)
          : `${nameOf(state)}, compared with ${nameOf(other)}`
      }
    >
      <div className="filters">
        <StateSelect
          list={list}
          states={states.filter((one) => one !== state)}
          value={showsValues ? undefined : other}
          onChange={(chosen) => {
            setShowsKeys(false);
            address.compare(state, chosen);
          }}
        />
        {archived !== undefined && !showsValues && (
          <Button variant="link" onClick={() => setShowsKeys(true)}>
            View all keys
          </Button>
        )}
      </div>
      {showsValues ? (
        <ArchivedValues key={archived.resourceVersion} secret={secret} live={live} archived={archived} />
      ) : (
        other !== undefined && (
          <Compare
            key={`${other} ${loadedAt}`}
            secret={secret}
            before={isNewer ? state : other}
            after={isNewer ? other : state}
          />
        )
      )}
    </section>
  );
}

interface StateSelectProps extends Pick<VersionPanelProps, 'list'> {
  readonly states: readonly State[];
  readonly value: State | undefined;
  readonly onChange: (state: State) => void;
}

function StateSelect({ list, states, value, onChange }: StateSelectProps) {
  return (
    <FormSelect
      aria-label="Compare with"
      value={value ?? ''}
      onChange={(_event, chosen) => onChange(chosen === 'live' ? chosen : Number(chosen))}
    >
      {value === undefined && <FormSelectOption value="" label="Compare with…" isDisabled />}
      {states.map((one) => (
        <FormSelectOption
          key={one}
          value={one}
          label={`Compared with ${one === 'live' ? `live (version ${list.version})` : `version ${one}`}`}
        />
      ))}
    </FormSelect>
  );
}

/** All that there are, the newest first. */
export function statesOf(list: VersionList): readonly State[] {
  return ['live', ...list.versions.map(({ version }) => version)];
}

interface ArchivedValuesProps extends Pick<VersionPanelProps, 'secret' | 'live'> {
  readonly archived: VersionSummary;
}

/** As a Secret shows itself. A number may be given to another state by now, whose values are never shown as those of this one. */
function ArchivedValues({ secret, live, archived }: ArchivedValuesProps) {
  const { namespace, name } = secret;
  const { version, resourceVersion } = archived;
  const api = useApi();
  const readValue = useCallback<ReadValue>(
    async (key, signal) => {
      const value = await api.readKey({ namespace, name }, key, { version, signal });
      if (value.resourceVersion !== resourceVersion) throw new NewerVersionError();
      return value.bytes;
    },
    [api, namespace, name, version, resourceVersion],
  );
  return <ValuesPanel secret={{ ...archived, ...secret, immutable: live?.immutable ?? false, readValue }} />;
}
