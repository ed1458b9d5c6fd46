import { useSearchParams } from 'react-router';

/** A state of a Secret: an archived version, or the live one. */
export type State = number | 'live';

/** The version that is open, and the one that it is compared with, as the address has them. */
export function useHistoryAddress() {
  const [search, setSearch] = useSearchParams();
  const [compared, other] = search.get('compare')?.split('-') ?? [];
  const go = (params: Readonly<Record<string, string>>) => setSearch(params, { preventScrollReset: true });
  return {
    opened: stateOf(search.get('view') ?? compared),
    /** Undefined: the one before. */
    other: compared === undefined ? undefined : (stateOf(other) ?? 'live'),
    open: (state: State) => go({ view: String(state) }),
    compare: (state: State, with_: State) => go({ compare: `${state}-${with_}` }),
    close: () => go({}),
  };
}

function stateOf(text = ''): State | undefined {
  if (text === 'live') return text;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
