import type { Clock } from '../../timing/clock.ts';
import { field, isObject } from '../objects/raw-object.ts';

/**
 * The fields of a `Status` object that the service uses. Its message is not among them: it is text of the cluster and
 * may quote values.
 */
export interface ClusterStatus {
  readonly reason: string;
  /** `details.kind`: a plural resource name, or a kind, depending on the component of the cluster that failed. */
  readonly kind: string | undefined;
  readonly group: string;
  readonly name: string | undefined;
  /** 1 to 300. */
  readonly retryAfterSeconds: number | undefined;
  /** Continues a list whose own token has expired. */
  readonly continueToken: string | undefined;
  readonly causes: readonly { readonly reason: string | undefined; readonly field: string | undefined }[];
}

/** Parses a failure Status; undefined for anything else, such as a proxy's error page. */
export function readStatus(body: unknown): ClusterStatus | undefined {
  if (field(body, 'kind') !== 'Status' || field(body, 'apiVersion') !== 'v1') return undefined;
  const details = field(body, 'details');
  const causes = field(details, 'causes');
  const seconds = field(details, 'retryAfterSeconds');
  return {
    reason: text(field(body, 'reason')) ?? '',
    kind: text(field(details, 'kind')),
    group: text(field(details, 'group')) ?? '',
    name: text(field(details, 'name')),
    retryAfterSeconds: typeof seconds === 'number' ? clampRetryAfter(seconds) : undefined,
    continueToken: text(field(field(body, 'metadata'), 'continue')),
    causes: (Array.isArray(causes) ? causes : [])
      .filter(isObject)
      .map((cause) => ({ reason: text(field(cause, 'reason')), field: text(field(cause, 'field')) })),
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A longer wait is of no use. */
const MAX_RETRY_AFTER_SECONDS = 300;

/**
 * The seconds of a Retry-After header, limited to 1 to 300; undefined for anything else. The cluster sends no dates, and
 * client-go reads none.
 */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^[0-9]+$/.test(header) ? clampRetryAfter(Number(header)) : undefined;
}

const clampRetryAfter = (seconds: number): number =>
  Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER_SECONDS);

const MAX_FIELDS = 8;
const MAX_LENGTH = 100;
/** The longest path that is parsed: a key has at most 253 characters. */
const MAX_CHECKED = 512;

/** `type`, `metadata.name`, `data[tls.crt]`, `metadata.annotations[a.example/b]`, `spec.items[0].name`. */
const FIELD_PATH = /^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*|\[[-._/A-Za-z0-9]{1,253}\])*$/;

/**
 * The field paths that the cluster rejected, safe for clients: they contain names of fields and keys, never values.
 * Text that is not a path is left out.
 */
export function rejectedFields(details: ClusterStatus | undefined): readonly string[] {
  const fields = (details?.causes ?? []).flatMap(({ field }) =>
    field !== undefined && field.length <= MAX_CHECKED && FIELD_PATH.test(field) ? [shortened(field)] : [],
  );
  return [...new Set(fields)].slice(0, MAX_FIELDS);
}

function shortened(field: string): string {
  return field.length > MAX_LENGTH ? `${field.slice(0, MAX_LENGTH)}…` : field;
}

/**
 * The cluster's time, from the Date header of its last response (RFC 9110, section 6.6.1). Between two responses the
 * monotonic clock is used, never the wall clock of this machine.
 */
export function createServerTime(clock: Pick<Clock, 'now'>) {
  let offset: number | undefined;
  return {
    /** Takes the Date of a response that has just arrived. Ignores anything that is not a date. */
    note: (date: string | undefined): void => {
      // Date.parse accepts much that is not an HTTP date, so the form is checked first.
      if (date === undefined || !/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$/.test(date))
        return;
      const time = Date.parse(date);
      if (!Number.isNaN(time)) offset = time - clock.now();
    },
    /** Milliseconds since 1970; undefined until the first response. Exact to about a second. */
    now: () => (offset === undefined ? undefined : offset + clock.now()),
  };
}
