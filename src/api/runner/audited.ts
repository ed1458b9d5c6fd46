import type { Audit, AuditRecord } from './audit.ts';
import type { RouteResponse } from './route-response.ts';

/** Does the work of a request, and writes its audit line once the outcome is final. */
export async function audited(
  audit: Audit,
  record: AuditRecord,
  work: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  let response: RouteResponse;
  try {
    response = await work();
  } catch (error) {
    audit.failed(record, error);
    throw error;
  }
  audit.succeeded(record, 'status' in response && response.status === 202 ? 'pending' : 'succeeded');
  return response;
}
