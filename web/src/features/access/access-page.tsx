import { Title } from '@patternfly/react-core';
import { useParams } from 'react-router';
import { useExplanation, useMe } from '../../api/queries.ts';
import type { Explanation, SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { hasAnyList, hasRules } from '../../../../src/contract/access-rules.ts';
import { allows } from '../../editing/rules.ts';
import { restOf } from '../../editing/sharing.ts';
import { editPath } from '../../paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Groups } from '../../ui/no-access.tsx';
import { QueryScreen } from '../../ui/query-screen.tsx';
import { SecretFrame } from '../secret/secret-frame.tsx';
import { useSummary } from '../secret/use-summary.ts';
import { LEVEL_WORDS, reasonsFor } from './reason.ts';
import { RuleList } from './rule-list.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { SlowStatus } from '../../ui/slow.tsx';

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
          <NamespaceRules secret={summary} me={me} explanation={why.data} error={why.error} />
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

const STATES = {
  hidden: "You can't see them, because they don't name you or your groups.",
  unusable: "They are invalid or can't be read. Until that is fixed, only administrators have access.",
};

/** The rules of the namespace, as far as the reader may know them, and what they are for. */
function NamespaceRules({ explanation, error, ...whose }: PartProps & { readonly error: unknown }) {
  const title = `Rules of the namespace ${whose.secret.namespace}`;
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        {title}
      </Title>
      {explanation !== undefined && <Known rules={explanation.namespaceRules} {...whose} title={title} />}
      {explanation === undefined && error !== null && (
        <ProblemAlert title="Couldn't load the rules of the namespace" error={error} />
      )}
      {explanation === undefined && error === null && (
        <>
          <p>Loading the rules of the namespace…</p>
          <SlowStatus what="the rules of the namespace" />
        </>
      )}
    </>
  );
}

interface KnownProps extends Pick<PartProps, 'secret' | 'me'> {
  readonly rules: Explanation['namespaceRules'];
  readonly title: string;
}

function Known({ rules, secret, me, title }: KnownProps) {
  if (rules.state === 'open') {
    return <p>There are none: everyone who can sign in has access to Secrets without rules of their own.</p>;
  }
  return (
    <>
      <p>
        {hasRules(secret)
          ? 'They decide who can create Secrets here. This Secret has rules of its own. Administrators set them.'
          : 'They decide who has access to this Secret. Administrators set them.'}
      </p>
      {rules.state === 'rules' ? (
        <RuleList rules={rules} label={title} me={me} />
      ) : (
        <p>{STATES[rules.state]}</p>
      )}
    </>
  );
}
