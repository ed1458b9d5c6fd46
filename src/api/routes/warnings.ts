import * as z from 'zod';
import { TLS_WARNINGS, type TlsWarning } from '../../contract/tls-warnings.ts';
import type { DescribedSecret, SecretDetail } from '../../secrets/secret-view.ts';
import type { ResponseHeaders } from '../runner/route-response.ts';
import { detailJson } from './secret-json.ts';

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
