import { createContext, useContext } from 'react';

/** Opens the search over the page, with a text to search for. */
export const OpenSearchContext = createContext<(text: string) => void>(() => undefined);

export const useOpenSearch = () => useContext(OpenSearchContext);
