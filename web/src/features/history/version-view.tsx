import { Button, Title } from '@patternfly/react-core';
import { useCallback } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import type { SecretRef, SecretSummary, VersionSummary } from '../../api/secrets-api.ts';
import { NewerVersionError } from '../../api/unread-value.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import type { ReadValue } from '../detail/named-value.ts';
import { ValuesPanel } from '../detail/values-panel.tsx';

export interface VersionViewProps {
  readonly secret: SecretRef;
  readonly live: SecretSummary | undefined;
  readonly version: number;
  /** Undefined: it is not in the history. */
  readonly archived: VersionSummary | undefined;
  readonly onClose: () => void;
}

/** One archived version, as a Secret shows itself. */
export function VersionView({ secret, live, version, archived, onClose }: VersionViewProps) {
  const title = `Version ${version}`;
  const readValue = useArchivedValues(secret, version, archived?.resourceVersion);
  return (
    <section aria-label={title} className="version-view">
      <div className="screen-title">
        <Title headingLevel="h2">{title}</Title>
        <Button variant="link" onClick={onClose}>
          Close
        </Button>
      </div>
      {archived === undefined ? (
        <ProblemAlert title="Couldn't load the version" error={GONE} />
      ) : (
        <ValuesPanel
          key={archived.resourceVersion}
          secret={{ ...archived, ...secret, immutable: live?.immutable ?? false, readValue }}
        />
      )}
    </section>
  );
}

const GONE = new ApiError(404, 'This version is not in the history', undefined);

/** A number may be given to another state by now, whose values are never shown as those of this one. */
function useArchivedValues(
  { namespace, name }: SecretRef,
  version: number,
  resourceVersion: string | undefined,
): ReadValue {
  const api = useApi();
  return useCallback(
    async (key, signal) => {
      const options = { version, ...(signal && { signal }) };
      const value = await api.readKey({ namespace, name }, key, options);
      if (value.resourceVersion !== resourceVersion) throw new NewerVersionError();
      return value.bytes;
    },
    [api, namespace, name, version, resourceVersion],
  );
}
