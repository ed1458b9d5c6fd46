import { Button, Title } from '@patternfly/react-core';
import { useVersion } from '../../api/queries.ts';
import type { SecretRef, SecretSummary } from '../../api/secrets-api.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Loading } from '../../ui/screen.tsx';
import { HISTORY_WORDS } from '../../words/history.ts';
import { ValuesPanel } from '../detail/values-panel.tsx';
import { COMMON_WORDS } from '../../words/common.ts';
import { VERSION_VIEW_WORDS } from '../../words/history.ts';

export interface VersionViewProps {
  readonly secret: SecretRef;
  readonly live: SecretSummary | undefined;
  readonly version: number;
  readonly onClose: () => void;
}

/** One archived version with its values, as a Secret shows its own. */
export function VersionView({ secret, live, version, onClose }: VersionViewProps) {
  const { data, error, refetch } = useVersion(secret, version);
  const title = VERSION_VIEW_WORDS.version(version);
  return (
    <section aria-label={title} className="version-view">
      <div className="screen-title">
        <Title headingLevel="h2">{title}</Title>
        <Button variant="link" onClick={onClose}>
          {HISTORY_WORDS.close}
        </Button>
      </div>
      {error !== null && (
        <>
          <ProblemAlert title={VERSION_VIEW_WORDS.failed} error={error} />
          <Button variant="link" onClick={() => void refetch()}>
            {COMMON_WORDS.tryAgain}
          </Button>
        </>
      )}
      {data === undefined ? (
        error === null && <Loading what={VERSION_VIEW_WORDS.theVersion} />
      ) : (
        <ValuesPanel secret={{ ...secret, ...data, immutable: live?.immutable ?? false }} />
      )}
    </section>
  );
}
