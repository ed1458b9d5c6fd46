import { onTestFinished } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { PlainTable, type Change } from '../../../src/informers/object-store.ts';
import { createReflector, type Reflector } from '../../../src/informers/reflector.ts';
import { createRevisionProbe } from '../../../src/informers/revision-probe.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createVirtualClock, settled, type VirtualClock } from '../../fakes/virtual-clock.ts';
import { createScriptedSource, type ScriptedSource, type Thing } from './scripted-source.ts';

export const expired = (): ServiceError => new ServiceError('expired', 'gone');
export const down = (retryAfterSeconds?: number): ServiceError =>
  new ServiceError('unavailable', 'down', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

export interface Fixture {
  readonly source: ScriptedSource;
  readonly clock: VirtualClock;
  readonly reflector: Reflector<PlainTable<Thing>>;
  /** Every change that the handler received, as `kind:value`; of another uid as a deletion and an addition. */
  readonly changes: string[];
  /** What was counted, as `event:added`, `relist:start`, `forbidden:true`. */
  readonly counted: string[];
  readonly logLines: Record<string, unknown>[];
  /** The texts that are stored, sorted. */
  readonly stored: () => readonly string[];
  /** Starts the reflector and lets it get as far as it can. */
  readonly start: () => Promise<void>;
  /** Aborts it; resolves once it has ended. */
  readonly stop: () => Promise<void>;
}

export interface FixtureOptions {
  readonly onChange?: (change: Change<Thing>) => void;
  readonly random?: () => number;
  /** Whether the revision is read after a failure. */
  readonly probes?: boolean;
}

/** A reflector over a scripted cluster, on a clock that stands still. */
export function reflectorFixture({
  onChange,
  random = () => 1,
  probes = false,
}: FixtureOptions = {}): Fixture {
  const clock = createVirtualClock();
  const source = createScriptedSource(clock.now);
  const changes: string[] = [];
  const counted: string[] = [];
  const logLines: Record<string, unknown>[] = [];
  const stop = new AbortController();
  const reflector = createReflector({
    source,
    clock,
    random,
    ...(probes && { probe: createRevisionProbe(source) }),
    createTable: () => new PlainTable<Thing>(),
    onChange: (change) => {
      changes.push(...describeChange(change));
      onChange?.(change);
    },
    observer: {
      event: (kind) => void counted.push(`event:${kind}`),
      relist: (reason) => void counted.push(`relist:${reason}`),
      forbidden: (is) => void counted.push(`forbidden:${is}`),
      restored: () => void counted.push('restored'),
    },
    logger: createLogger('info', {
      write: (line) => void logLines.push(JSON.parse(line) as Record<string, unknown>),
    }),
  });
  let running: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(end);
  return {
    source,
    clock,
    reflector,
    changes,
    counted,
    logLines,
    stored: () => Array.from(reflector.objects.values(), ({ text }) => text).sort(),
    start: async () => {
      running = reflector.run(stop.signal);
      await settled();
    },
    stop: end,
  };
}

function describeChange({ value, previous }: Change<Thing>): readonly string[] {
  if (value !== undefined && value.uid === previous?.uid) return [`modified:${value.text}`];
  return [
    ...(previous === undefined ? [] : [`deleted:${previous.text}`]),
    ...(value === undefined ? [] : [`added:${value.text}`]),
  ];
}
