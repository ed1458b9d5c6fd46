import { createContext, useContext } from 'react';

/** Opens the search over the page, with a text to search for. */
export type OpenSearch = (text: string) => void;

export const OpenSearchContext = createContext<OpenSearch>(() => undefined);

export function useOpenSearch(): OpenSearch {
  return useContext(OpenSearchContext);
}
