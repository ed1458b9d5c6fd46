import { Title } from '@patternfly/react-core';
import type { useExplanation } from '../../api/queries.ts';
import type { Explanation, SecretSummary, SessionUser } from '../../api/secrets-api.ts';
import { hasRules } from '../../../../src/contract/access-rules.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { SlowStatus } from '../../ui/slow.tsx';
import { NAMESPACE_RULE_WORDS } from '../../words/access.ts';
import { RuleList } from './rule-list.tsx';

export interface NamespaceRulesProps {
  readonly secret: SecretSummary;
  readonly query: Pick<ReturnType<typeof useExplanation>, 'data' | 'error'>;
  readonly me: SessionUser | undefined;
}

/** The rules of the namespace, as far as the reader may know them, and what they are for. */
export function NamespaceRules({ secret, query: { data, error }, me }: NamespaceRulesProps) {
  const title = NAMESPACE_RULE_WORDS.title(secret.namespace);
  return (
    <>
      <Title headingLevel="h2" className="section-title">
        {title}
      </Title>
      {data !== undefined && <Known rules={data.namespaceRules} {...{ secret, me, title }} />}
      {data === undefined && error !== null && (
        <ProblemAlert title={NAMESPACE_RULE_WORDS.failed} error={error} />
      )}
      {data === undefined && error === null && (
        <>
          <p>{NAMESPACE_RULE_WORDS.loading}</p>
          <SlowStatus what={NAMESPACE_RULE_WORDS.theRules} />
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
  if (rules.state === 'open') return <p>{NAMESPACE_RULE_WORDS.open}</p>;
  return (
    <>
      <p>{hasRules(secret) ? NAMESPACE_RULE_WORDS.notHere : NAMESPACE_RULE_WORDS.decide}</p>
      {rules.state === 'rules' ? (
        <RuleList rules={rules} label={title} me={me} />
      ) : (
        <p>{NAMESPACE_RULE_WORDS[rules.state]}</p>
      )}
    </>
  );
}
