/** The caller's span, as far as it is used. */
export interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Version, trace id, parent id and flags (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** A later version may append fields, which are not read. */
const MAX_CHARACTERS = 256;

/**
 * Parses a `traceparent` header; undefined if it is absent or malformed, after which a trace of its own begins. `tracestate` is
 * not read: it may contain any text of the client, and nothing here needs it.
 */
export function parseTraceparent(header: string | undefined): RemoteParent | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: RemoteParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
