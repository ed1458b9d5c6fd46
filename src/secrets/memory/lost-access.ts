import type { ListItem } from '../list-item.ts';

/**
 * Whether one of the Secrets that an earlier state shows is hidden now. One that no longer exists remains part of its
 * state: nothing about it was decided since.
 * @param current ordered by name
 */
export function hasLostAccess(
  shown: readonly ListItem[],
  current: readonly ListItem[],
  isVisible: (item: ListItem) => boolean,
): boolean {
  return shown.some((item) => {
    const now = itemNamed(current, item.name);
    return now !== undefined && now !== item && !isVisible(now);
  });
}

function itemNamed(items: readonly ListItem[], name: string): ListItem | undefined {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.name ?? '') < name) low = middle + 1;
    else high = middle;
  }
  const found = items[low];
  return found?.name === name ? found : undefined;
}
