import { useSearchParams } from 'react-router';

/** A state of a Secret: an archived version, or undefined for the live one. */
export type State = number | undefined;

const LIVE = 'live';

/** Which version is viewed, or which two are compared, as the address has it. */
export function useHistoryAddress() {
  const [search, setSearch] = useSearchParams();
  const compared = search.get('compare');
  const [left = '', right = LIVE] = (compared ?? '').split('-');
  const go = (params: Readonly<Record<string, string>>) => setSearch(params, { preventScrollReset: true });
  return {
    viewed: numberOf(search.get('view') ?? ''),
    comparison: compared === null ? undefined : ([numberOf(left), numberOf(right)] as const),
    view: (version: number) => go({ view: String(version) }),
    compare: (before: State, after: State) => go({ compare: `${before ?? LIVE}-${after ?? LIVE}` }),
    close: () => go({}),
  };
}

function numberOf(text: string): State {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
