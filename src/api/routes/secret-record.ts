import type { DeleteResult } from '../../secrets/delete-secret.ts';
import type { SecretDetail, SplitValues, DescribedSecret } from '../../secrets/secret-view.ts';
import type { ErrorCode } from '../../errors/service-error.ts';
import type { AuditRecord } from '../runner/audit.ts';
import * as z from 'zod';
import { TLS_WARNINGS, type TlsWarning } from '../../contract/tls-warnings.ts';
import { json, type ResponseHeaders, type Wire } from '../runner/route-response.ts';
import { detailResponse, summaryResponse } from './response-schemas.ts';

/** The domain's values as the API's JSON. Maps become null-prototype objects, which keep all keys. */

type TextMap = Readonly<Record<string, string>>;

/** A Secret, or one of its versions, with its values. */
export function detailJson<Summary extends object>({
  summary,
  values: { text, binary },
}: {
  readonly summary: Summary;
  readonly values: SplitValues;
}) {
  return {
    ...summary,
    data: jsonObject(text, (value) => value),
    binaryData: jsonObject(binary, (value) => Buffer.from(value).toString('base64')),
  };
}

export function deleteJson(result: DeleteResult) {
  if (result.status === 'pending') return result;
  const { status, name, uid, history } = result;
  return { status, name, deleted: name, uid, history };
}

function jsonObject<Value>(map: ReadonlyMap<string, Value>, format: (value: Value) => string): TextMap {
  const object = Object.create(null) as Record<string, string>;
  for (const [key, value] of map) object[key] = format(value);
  return object;
}

/** The Express patterns of the Secrets of a namespace. */
export const COLLECTION = '/api/namespaces/:namespace/secrets';
export const NAMED = `${COLLECTION}/:name`;
export const DELETED = '/api/namespaces/:namespace/deleted';

/** Errors of every write of a Secret. */
export const WRITE_ERRORS = [
  'invalidSecret',
  'rejected',
  'admissionRefused',
  'uncertain',
] as const satisfies readonly ErrorCode[];

/** Errors of an update and of a restore: both archive the previous state, then replace the live one. */
export const REPLACE_ERRORS = [
  ...WRITE_ERRORS,
  'staleRevision',
  'conflict',
  'snapshotCollision',
  'historyUnavailable',
  'listOverBudget',
] as const satisfies readonly ErrorCode[];

/** The audit line of a change says whether it has a note, and never repeats it. */
export function noteChange(
  audit: AuditRecord,
  { changeNote = '' }: { readonly changeNote?: string | undefined },
): void {
  if (changeNote !== '') audit.changeNote = true;
}

/**
 * Warnings are in a header, as those of the Kubernetes API are: the fields of responses are the contract's, and nothing
 * that is accepted becomes an error. 299 is a warning that lasts (RFC 7234, section 5.5.7).
 */
export const WARNING_HEADERS = z.object({
  Warning: z
    .string()
    .optional()
    .meta({
      description:
        'TLS types: what will hardly work about the certificate and the key, as `299 - "<text>"`, …',
      examples: [`299 - "${TLS_WARNINGS.keyMismatch}"`],
    }),
});

export function warningHeaders(warnings: readonly TlsWarning[]): ResponseHeaders {
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
export function summaryResponseOf({ summary, warnings }: DescribedSecret) {
  return { status: 200, json: { secret: summary }, headers: warningHeaders(warnings) } as const;
}

/** Examples of the OpenAPI document: one Secret through its life. Tests check each example against its schema. */

type Detail = Wire<z.output<typeof detailResponse>>['secret'];
type Summary = Wire<z.output<typeof summaryResponse>>['secret'];

export const SUMMARY: Summary = {
  namespace: 'shared',
  name: 'database',
  type: 'Opaque',
  keys: ['password', 'username'],
  keyCount: 2,
  description: 'The orders database',
  version: 1,
  resourceVersion: '4711',
  creationTimestamp: '2026-03-04T05:06:07Z',
  allowedGroups: ['team-a'],
  allowedUsers: [],
  managedByService: true,
  immutable: false,
  binaryKeys: [],
  lastModifiedBy: 'developer-a@example.com',
  lastModifiedAt: '2026-03-04T05:06:07.089Z',
};

export const DETAIL: Detail = {
  ...SUMMARY,
  data: { password: 'correct horse', username: 'app' },
  binaryData: {},
};

export const PATCHED: Summary = {
  ...SUMMARY,
  version: 2,
  resourceVersion: '4713',
  lastModifiedAt: '2026-03-04T05:06:08.089Z',
};

export const UPDATED: Detail = {
  ...DETAIL,
  ...PATCHED,
  data: { password: 'battery staple', username: 'app' },
};

export const RESTORED: Detail = {
  ...DETAIL,
  version: 3,
  resourceVersion: '4715',
  lastModifiedAt: '2026-03-04T05:06:09.089Z',
};

export const UID = '7d0f4ad0-0f3c-4a4e-9f0c-7a1f5d0f3c55';

export const VERSION = {
  version: 1,
  resourceVersion: '4711',
  createdAt: '2026-03-04T05:06:08Z',
  lastModifiedBy: 'developer-a@example.com',
  lastModifiedAt: '2026-03-04T05:06:07.089Z',
  type: 'Opaque',
  keys: ['password', 'username'],
  keyCount: 2,
  binaryKeys: [],
};

/** The response with a Secret's values. */
export const withValues = (description: string, secret: Detail) =>
  json(description, detailResponse, { secret }, WARNING_HEADERS);

/** … without them. */
export const withoutValues = (description: string, secret: Summary) =>
  json(description, summaryResponse, { secret }, WARNING_HEADERS);
