import { Title } from '@patternfly/react-core';
import type { useExplanation } from '../../api/queries.ts';
import type { Explanation, SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { hasRules } from '../../../../src/contract/access-rules.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { SlowStatus } from '../../ui/slow.tsx';
import { RuleList } from './rule-list.tsx';

const STATES = {
  hidden: "You can't see them, because they don't name you or your groups.",
  unusable: "They are invalid or can't be read. Until that is fixed, only administrators have access.",
};

export interface NamespaceRulesProps {
  readonly secret: SecretSummary;
  readonly query: Pick<ReturnType<typeof useExplanation>, 'data' | 'error'>;
  readonly me: SessionUser | undefined;
}

/** The rules of the namespace, as far as the reader may know them, and what they are for. */
export function NamespaceRules({ secret, query: { data, error }, me }: NamespaceRulesProps) {
  const title = `Rules of the namespace ${secret.namespace}`;
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        {title}
      </Title>
      {data !== undefined && <Known rules={data.namespaceRules} {...{ secret, me, title }} />}
      {data === undefined && error !== null && (
        <ProblemAlert title="Couldn't load the rules of the namespace" error={error} />
      )}
      {data === undefined && error === null && (
        <>
          <p>Loading the rules of the namespace…</p>
          <SlowStatus what="the rules of the namespace" />
        </>
      )}
    </>
  );
}

interface KnownProps extends Pick<NamespaceRulesProps, 'secret' | 'me'> {
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
