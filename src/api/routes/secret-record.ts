import type { DeleteResult } from '../../secrets/delete-secret.ts';
import type { SecretDetail, SplitValues, DescribedSecret } from '../../secrets/secret-view.ts';
import type { ErrorCode } from '../../errors/service-error.ts';
import * as z from 'zod';
import { TLS_WARNINGS, type TlsWarning } from '../../contract/tls-warnings.ts';
import { json, type ResponseHeaders } from '../runner/route.ts';
import { detailResponse, summaryResponse } from './response-schemas.ts';

/** A Secret, or one of its versions, with its values. `Object.fromEntries` keeps all keys, `__proto__` among them. */
export function detailJson<Summary extends object>({
  summary,
  values: { text, binary },
}: {
  readonly summary: Summary;
  readonly values: SplitValues;
}) {
  return {
    ...summary,
    data: Object.fromEntries(text),
    binaryData: Object.fromEntries(
      binary.entries().map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
}

export function deleteJson(result: DeleteResult) {
  return result.status === 'pending' ? result : { ...result, deleted: result.name };
}

/** The Express patterns of the Secrets of a namespace. */
export const COLLECTION = '/api/namespaces/:namespace/secrets';
export const NAMED = `${COLLECTION}/:name`;
export const DELETED = '/api/namespaces/:namespace/deleted';

type Errors = readonly ErrorCode[];

/** Errors of each request to the cluster. */
export const CLUSTER_ERRORS: Errors = ['unavailable', 'rbacForbidden'];

/** Errors of a list of the cluster. */
export const LIST_ERRORS: Errors = ['listFailed', 'listInconsistent', 'listOverBudget', 'expired'];

/** Errors of every write of a Secret. */
export const WRITE_ERRORS: Errors = ['invalidSecret', 'rejected', 'admissionRefused', 'uncertain'];

/** Errors of what archives the live state of a given revision first. */
export const ARCHIVE_ERRORS: Errors = [
  'staleRevision',
  'conflict',
  'snapshotCollision',
  'historyUnavailable',
];

/** Errors of an update and of a restore, which replace the live state. */
export const REPLACE_ERRORS: Errors = [...WRITE_ERRORS, ...ARCHIVE_ERRORS, 'listOverBudget'];

/**
 * Warnings are in a header, as those of the Kubernetes API are: the fields of responses are the contract's, and nothing
 * that is accepted becomes an error. 299 is a warning that lasts (RFC 7234, section 5.5.7).
 */
export const WARNING_HEADERS = z.object({
  Warning: z.string().optional().describe('TLS types: what will hardly work, as `299 - "<text>"`, …'),
});

function warningHeaders(warnings: readonly TlsWarning[]): ResponseHeaders {
  if (warnings.length === 0) return {};
  return { Warning: warnings.map((warning) => `299 - "${TLS_WARNINGS[warning]}"`).join(', ') };
}

/** A Secret with its values, and the warnings about them. */
export function detailResponseOf(detail: SecretDetail) {
  return {
    status: 200,
    json: { secret: detailJson(detail) },
    headers: warningHeaders(detail.warnings),
  } as const;
}

/** A Secret without its values, and the warnings about them. */
export function summaryResponseOf<Status extends number>(
  status: Status,
  { summary, warnings }: DescribedSecret,
) {
  return { status, json: { secret: summary }, headers: warningHeaders(warnings) };
}

/** The response with a Secret's values. */
export const withValues = (description: string) => json(description, detailResponse, WARNING_HEADERS);

/** … without them. */
export const withoutValues = (description: string) => json(description, summaryResponse, WARNING_HEADERS);
