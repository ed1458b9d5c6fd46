import { Button, Title } from '@patternfly/react-core';
import { useVersion } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading } from '../../ui/screen.tsx';
import { ValuesPanel } from '../detail/values-panel.tsx';

export interface VersionViewProps {
  readonly secret: SecretRef;
  readonly live: SecretSummary | undefined;
  readonly version: number;
  readonly onClose: () => void;
}

/** One archived version with its values, as a Secret shows its own. */
export function VersionView({ secret, live, version, onClose }: VersionViewProps) {
  const { data, error, refetch } = useVersion(secret, version);
  const title = `Version ${version}`;
  return (
    <section aria-label={title} className="version-view">
      <div className="screen-title">
        <Title headingLevel="h2">{title}</Title>
        <Button variant="link" onClick={onClose}>
          Close
        </Button>
      </div>
      {error !== null && (
        <>
          <ProblemAlert title="Couldn't load the version" error={error} />
          <Button variant="link" onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      )}
      {data === undefined ? (
        error === null && <Loading what="the version" />
      ) : (
        <ValuesPanel secret={{ ...secret, ...data, immutable: live?.immutable ?? false }} />
      )}
    </section>
  );
}
