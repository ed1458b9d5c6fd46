import { useAddressFilter } from './use-address-filter.ts';

export interface NameFilterState<Item> {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The items whose names contain the text. */
  readonly shown: readonly Item[];
}

/** Narrows a screen down by the names of the cluster's objects, which are in lower case. */
export function useNameFilter<Item extends { readonly name: string }>(
  items: readonly Item[],
): NameFilterState<Item> {
  const [text, setText] = useAddressFilter('q');
  const wanted = text.trim().toLowerCase();
  return { text, setText, shown: items.filter(({ name }) => name.includes(wanted)) };
}
