import type { ListAccess } from '../access/list-access.ts';
import type { ListItem } from './list-item.ts';

/** Decides for lists, pages and searches alike whether someone sees an item. */
export function visibilityOf(
  access: Pick<ListAccess, 'isVisible'>,
  managedOnly: boolean,
): (item: ListItem) => boolean {
  return ({ rules, managed }) => (managed || !managedOnly) && access.isVisible(rules);
}
