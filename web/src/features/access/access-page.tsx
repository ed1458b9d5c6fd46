import { Title } from '@patternfly/react-core';
import { useParams } from 'react-router';
import { useExplanation, useMe } from '../../api/queries.ts';
import type { Explanation, SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { hasAnyList } from '../../../../src/contract/access-rules.ts';
import { allows } from '../../editing/rules.ts';
import { restOf } from '../../editing/sharing.ts';
import { editPath } from '../../paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Groups } from '../../ui/groups.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useSummary } from '../secret/use-summary.ts';
import { NamespaceRules } from './namespace-rules.tsx';
import { LEVEL_WORDS, reasonsFor } from './reason.ts';
import { RuleList } from './rule-list.tsx';

/** Who has access to a Secret, in words, and why the reader does. */
export function AccessPage() {
  const { namespace = '', name = '' } = useParams();
  const secret = { namespace, name };
  const query = useSummary(secret);
  const why = useExplanation(secret);
  const { data: me } = useMe();
  return (
    <QueryScreen query={query} what="the access rules" stale={{ alert: "Couldn't reload the access rules" }}>
      {(summary, alert) => (
        <SecretFrame
          secret={secret}
          summary={summary}
          tab="access"
          isReloading={query.isFetching || why.isFetching}
          onReload={() => void Promise.all([query.refetch(), why.refetch()])}
          alerts={alert}
        >
          <Rules secret={summary} me={me} explanation={why.data} />
          {me !== undefined && <Reason me={me} secret={summary} explanation={why.data} />}
          <NamespaceRules secret={summary} query={why} me={me} />
        </SecretFrame>
      )}
    </QueryScreen>
  );
}

interface PartProps {
  readonly secret: SecretSummary;
  readonly me: SessionUser | undefined;
  readonly explanation: Explanation | undefined;
}

function Rules({ secret, me, explanation }: PartProps) {
  const rest = restOf(secret, secret.namespace);
  const isOpen = explanation?.namespaceRules.state === 'open';
  return (
    <>
      <Title headingLevel="h2">Who has access</Title>
      <RuleList
        rules={secret}
        label="Who has access"
        me={me}
        first={isOpen ? rest && 'Everyone who can sign in can manage' : rest}
        machines={explanation?.machines}
        isAdmin={explanation?.by === 'admin'}
      />
      {!hasAnyList(secret) && (
        <p className="hint">This Secret has no rules of its own, so those of the namespace decide.</p>
      )}
      {allows(explanation?.level, 'manage') && (
        <LinkButton to={`${editPath(secret)}#access`}>Change access</LinkButton>
      )}
    </>
  );
}

function Reason({ me, secret, explanation }: PartProps & { readonly me: SessionUser }) {
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        Why you have access
      </Title>
      <p>{reasonsFor(me, secret, explanation).join(' ')}</p>
      {explanation !== undefined && explanation.level !== 'none' && <p>{LEVEL_WORDS[explanation.level]}</p>}
      <Facts facts={[{ term: 'Your groups', description: <Groups of={me} /> }]} />
    </>
  );
}
