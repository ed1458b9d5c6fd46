import type { FaultBook } from '../../hack/dev-cluster/faults/fault-book.ts';

/** Makes the cluster answer as an API server that does not support streaming lists. */
export function refuseStreamingLists(faults: Pick<FaultBook, 'add'>) {
  return faults.add({
    match: { verb: 'watch', path: 'sendInitialEvents' },
    action: { type: 'status', status: 422, reason: 'Invalid' },
  });
}
