import type { FaultAction, FaultMatch, FaultRule } from '../../../hack/dev-cluster/faults/rule.ts';
import type { Operation } from './operations.ts';

/** Text of the cluster that must reach no one. */
export const CLUSTER_TEXT = 'text-of-the-cluster-4f1c';
export const RETRY_AFTER_SECONDS = 77;

/** One way in which a call to the cluster can fail. */
export interface Fault {
  readonly name: string;
  readonly action: FaultAction;
  /** Whether the cluster has done what was requested, unseen by the service. */
  readonly takesEffect: boolean;
  /** The cluster has certainly done nothing, and the same request may be sent again, whatever it is. */
  readonly refusedUnheard: boolean;
  /** Sent again when it struck a read. */
  readonly passing: boolean;
  /** Makes no sense for a read, or is to a read the same as another fault. */
  readonly writesOnly?: true;
}

const message = CLUSTER_TEXT;
const NONE = { takesEffect: false, refusedUnheard: false, passing: true } as const;

export const FAULTS: readonly Fault[] = [
  { ...NONE, name: 'answered 500', action: { type: 'status', status: 500, message } },
  { ...NONE, name: 'answered 503', action: { type: 'status', status: 503, message } },
  {
    ...NONE,
    name: 'answered 429 with Retry-After',
    action: { type: 'status', status: 429, retryAfter: RETRY_AFTER_SECONDS, message },
    refusedUnheard: true,
  },
  { ...NONE, name: 'answered 403', action: { type: 'status', status: 403, message }, passing: false },
  {
    ...NONE,
    name: 'answered 409',
    action: { type: 'status', status: 409, message },
    passing: false,
    writesOnly: true,
  },
  { ...NONE, name: 'cut before the effect', action: { type: 'cut', when: 'before' } },
  {
    ...NONE,
    name: 'cut after the effect',
    action: { type: 'cut', when: 'after' },
    takesEffect: true,
    writesOnly: true,
  },
  {
    ...NONE,
    name: 'cut in the middle of its answer',
    action: { type: 'cut', when: 'midway' },
    takesEffect: true,
  },
  { ...NONE, name: 'left hanging before the effect', action: { type: 'hang', when: 'before' } },
  {
    ...NONE,
    name: 'left hanging after the effect',
    action: { type: 'hang', when: 'after' },
    takesEffect: true,
    writesOnly: true,
  },
];

/** One call of one operation, failing in one way. */
export interface Case {
  readonly operation: Operation;
  readonly call: string;
  /** Where in the operation's calls. */
  readonly index: number;
  readonly fault: Fault;
  readonly title: string;
}

export const isRead = (call: string): boolean => call.startsWith('GET') || call.startsWith('LIST');

export function casesOf(operation: Operation): readonly Case[] {
  return operation.calls.flatMap((call, index) =>
    FAULTS.filter(({ writesOnly }) => writesOnly !== true || !isRead(call)).map((fault) => ({
      operation,
      call,
      index,
      fault,
      title: `${operation.name}, ${ordinal(operation.calls, index)} ${fault.name}`,
    })),
  );
}

function ordinal(calls: readonly string[], index: number): string {
  const call = calls[index] ?? '';
  const earlier = calls.slice(0, index).filter((other) => other === call).length;
  return earlier === 0 ? call : `${call} (${earlier + 1})`;
}

/** The rule that makes the call of a case fail, for as long as the rule is there or only once. */
export function ruleOf(
  { operation, call, index, fault }: Case,
  namespace: string,
  times?: number,
): FaultRule {
  const skip = operation.calls.slice(0, index).filter((earlier) => earlier === call).length;
  return {
    match: { namespace, ...matchOf(call) },
    action: fault.action,
    skip,
    ...(times === undefined ? {} : { times }),
  };
}

function matchOf(call: string): FaultMatch {
  const [method = '', object = ''] = call.split(' ');
  const verb =
    { GET: 'get', LIST: 'list', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method] ??
    '';
  if (object === 'policy') return { verb, resource: 'configmaps' };
  if (method === 'LIST' || method === 'POST') return { verb, resource: 'secrets' };
  return { verb, resource: 'secrets', path: `/${object.replace('.', '\\.')}(\\.[0-9a-f]{16})?$` };
}
