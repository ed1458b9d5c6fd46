import { Alert } from '@patternfly/react-core';
import { hasAnyList, hasRules, type AccessRules } from '../../../../src/contract/access-rules.ts';

export interface AccessEffectProps {
  readonly before: AccessRules;
  readonly after: AccessRules;
  readonly namespace: string;
}

/**
 * What a change of the rules means for people whom it does not name. The first rule about who manages ends the access of
 * everyone who had it through the namespace, and the lists alone don't say that.
 */
export function AccessEffect({ before, after, namespace }: AccessEffectProps) {
  const effect = effectOf(before, after);
  if (effect === undefined) return null;
  const { variant, title, text } = EFFECTS[effect];
  return (
    <Alert isInline variant={variant} component="h2" title={title}>
      <p>{text(namespace)}</p>
    </Alert>
  );
}

const EFFECTS = {
  closed: {
    variant: 'warning',
    title: 'Others lose access',
    text: (namespace: string) =>
      `So far, everyone with access to the namespace ${namespace} has access to this Secret. After you save, only the people in the lists and administrators have access.`,
  },
  opened: {
    variant: 'warning',
    title: 'Others gain access',
    text: (namespace: string) =>
      `After you save, everyone who can manage Secrets in the namespace ${namespace} can manage this Secret.`,
  },
  ownLists: {
    variant: 'info',
    title: 'Some people may lose access',
    text: (namespace: string) =>
      `People who can only read or write in the namespace ${namespace} lose access, unless these lists name them. Those who can manage there keep it.`,
  },
} as const;

function effectOf(before: AccessRules, after: AccessRules): keyof typeof EFFECTS | undefined {
  if (hasRules(before) !== hasRules(after)) return hasRules(after) ? 'closed' : 'opened';
  return hasAnyList(before) || !hasAnyList(after) ? undefined : 'ownLists';
}
