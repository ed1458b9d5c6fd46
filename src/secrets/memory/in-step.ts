import type { ListItem } from '../list-item.ts';

/**
 * Finds items by name in an ordered list, for names that come in order as well: both are gone through together.
 * @returns the position of the item with the name
 */
export function inStepWith(items: readonly Pick<ListItem, 'name'>[]): (name: string) => number | undefined {
  let index = 0;
  return (name) => {
    let item = items[index];
    while (item !== undefined && item.name < name) item = items[++index];
    return item?.name === name ? index : undefined;
  };
}
