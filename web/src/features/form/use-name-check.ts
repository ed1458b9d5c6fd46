import { useEffect, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { newNameViolation } from '../../../../src/contract/names.ts';

/** How long someone has stopped typing. */
const PAUSE_MS = 300;

/**
 * Whether a Secret of this name is known to exist. False where that is not known: it may be hidden from the reader, be
 * made in this moment, or the service cannot say so from its memory; then the answer of the create decides.
 */
export function useNameCheck(namespace: string, name: string): boolean {
  const api = useApi();
  const [taken, setTaken] = useState<string>();
  const id = `${namespace}/${name}`;
  useEffect(() => {
    if (newNameViolation(name) !== undefined) return;
    const aborter = new AbortController();
    const timer = window.setTimeout(() => {
      api.showsName(namespace, name, aborter.signal).then(
        (isTaken) => setTaken(isTaken ? id : undefined),
        // Nothing is known; the service checks the name in any case.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      aborter.abort();
    };
  }, [api, namespace, name, id]);
  return taken === id;
}
