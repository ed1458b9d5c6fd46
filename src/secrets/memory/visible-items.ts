import type { ListAccess } from '../../access/list-access.ts';
import type { AccessRules } from '../../contract/access-rules.ts';
import type { ListItem } from '../list-item.ts';

/** Whether someone sees an item. Items share their rules, so that the decision is made once for each set of rules. */
export function visibilityOf(
  access: Pick<ListAccess, 'isVisible'>,
  managedOnly: boolean,
): (item: ListItem) => boolean {
  const decided = new Map<AccessRules, boolean>();
  return ({ rules, managed }) => {
    if (managedOnly && !managed) return false;
    const known = decided.get(rules);
    if (known !== undefined) return known;
    const isVisible = access.isVisible(rules);
    decided.set(rules, isVisible);
    return isVisible;
  };
}
