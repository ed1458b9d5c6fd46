import { Alert } from '@patternfly/react-core';
import { useMe, useNamespaceAccess } from '../../api/queries.ts';
import {
  hasRules,
  includesLevel,
  levelOn,
  type AccessRules,
  type GivenLevel,
} from '../../../../src/contract/access-rules.ts';

const WARNINGS = {
  certain: {
    title: 'You will lose access',
    explain:
      "The rules don't include you or any of your groups, so you won't be able to see or change this Secret.",
  },
  /** Whether they are an administrator could not be found out. */
  possible: {
    title: 'You may lose access',
    explain:
      "The rules don't include you or any of your groups. Unless you're an administrator of this service, you won't be able to see or change this Secret.",
  },
  /** Only the lists of writers or readers name them. */
  write: {
    title: 'You will only be able to write',
    explain: 'You will be able to change its values, but not to delete it or to change its access rules.',
  },
  read: {
    title: 'You will only be able to read',
    explain: 'You will be able to read it, but not to change or delete it.',
  },
};

export interface LockoutWarningProps {
  readonly namespace: string;
  readonly rules: AccessRules;
  /** The level that one has; left out for a new Secret: what the namespace gives. */
  readonly before?: GivenLevel;
}

/** Warns before someone saves rules that take something from themselves. */
export function LockoutWarning({ namespace, rules, before }: LockoutWarningProps) {
  const { data: me } = useMe();
  const { data: within, isError } = useNamespaceAccess(namespace);
  if (me === undefined || within?.admin === true) return null;
  if (within?.level === undefined && !(isError && hasRules(rules))) return null;
  const had = before ?? within?.level ?? 'manage';
  const level = levelOn(me, rules, within?.level ?? 'none');
  if (had === 'none' || includesLevel(level, had)) return null;
  const isPart = level === 'read' || level === 'write';
  const words = WARNINGS[isPart ? level : within === undefined ? 'possible' : 'certain'];
  return (
    <Alert isInline variant="warning" component="h2" title={words.title}>
      <p>{words.explain}</p>
    </Alert>
  );
}
