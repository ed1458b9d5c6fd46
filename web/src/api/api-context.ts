import { createContext, useContext } from 'react';
import type { SecretsApi } from './secrets-api.ts';

export const ApiContext = createContext<SecretsApi | undefined>(undefined);

/** The API of the running pages. */
export function useApi(): SecretsApi {
  const api = useContext(ApiContext);
  if (api === undefined) throw new TypeError('outside of the pages');
  return api;
}
