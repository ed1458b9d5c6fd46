import { useLocation, useSearchParams } from 'react-router';

/** A text that narrows a screen down. It is in the address, and not every step of typing it in the browser's history. */
export function useAddressFilter(param: string): readonly [text: string, setText: (text: string) => void] {
  const [search, setSearch] = useSearchParams();
  const state: unknown = useLocation().state;
  const setText = (text: string) => {
    const change = (before: URLSearchParams) => {
      before.delete(param);
      if (text !== '') before.set(param, text);
      return before;
    };
    setSearch(change, { replace: true, preventScrollReset: true, state });
  };
  return [search.get(param) ?? '', setText];
}
