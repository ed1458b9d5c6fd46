import { NOT_STARTED, relaySignals, runChild, type SignalRelay } from './child.ts';
import { createMasks, type Mask } from './mask.ts';
import { memoryPlaces, mountKeys } from './mount.ts';
import {
  inheritedEnvironment,
  selectKeys,
  type SecretValues,
  type VariableOptions,
  variablesOf,
} from './variables.ts';

export interface RunOptions extends VariableOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly inherit: boolean;
  readonly mask: boolean;
  /** A folder for the keys as files, which then are no variables. */
  readonly mount?: string;
}

export interface RunContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads the Secrets; what fails has written its own message and rejects. */
  readonly read: (aborted: AbortSignal) => Promise<readonly SecretValues[]>;
  readonly warn: (message: string) => void;
}

type Prepared =
  | { kind: 'prepared'; environment: Map<string, string>; remove: () => void }
  | { kind: 'refused'; problems: readonly string[] };

const filesOf = (secrets: readonly SecretValues[], options: RunOptions) => {
  const { selected, missing } = selectKeys(secrets, options.only);
  const problems = missing.map((key) => `no Secret has the key "${key}" of --only`);
  const files = new Map<string, Uint8Array>();
  for (const { secret, key, value } of selected) {
    if (files.has(key) && !options.allowClash) {
      problems.push(`${secret}: key "${key}" is in an earlier Secret too; --allow-clash takes the later one`);
    }
    files.set(key, value);
  }
  return { files, problems };
};

const prepare = (secrets: readonly SecretValues[], options: RunOptions, context: RunContext): Prepared => {
  const environment = inheritedEnvironment(context.environment, options.inherit);
  if (options.mount === undefined) {
    const result = variablesOf(secrets, options);
    if (result.kind === 'refused') return result;
    for (const [name, value] of result.variables) environment.set(name, value);
    return { kind: 'prepared', environment, remove: () => undefined };
  }
  const { files, problems } = filesOf(secrets, options);
  if (problems.length > 0) return { kind: 'refused', problems };
  const mounted = mountKeys(options.mount, files, memoryPlaces(context.environment));
  if (mounted.kind === 'failed') return { kind: 'refused', problems: [mounted.problem] };
  if (!mounted.inMemory)
    context.warn('no storage in memory was found: the values are on a disk until the end');
  return { kind: 'prepared', environment, remove: mounted.remove };
};

const masksOf = (secrets: readonly SecretValues[], options: RunOptions) =>
  createMasks(selectKeys(secrets, options.only).selected.map(({ value }) => value));

const runWith = async (options: RunOptions, context: RunContext, relay: SignalRelay): Promise<number> => {
  const secrets = await context.read(relay.aborted);
  let mask: (() => Mask) | undefined;
  if (options.mask) {
    const masks = masksOf(secrets, options);
    if (masks.kind === 'too-large') {
      context.warn('the values are too large for --mask; choose keys with --only');
      return NOT_STARTED;
    }
    mask = masks.create;
  }
  const prepared = prepare(secrets, options, context);
  if (prepared.kind === 'refused') {
    for (const problem of prepared.problems) context.warn(problem);
    return NOT_STARTED;
  }
  // Also when this process ends by an error that no one catches.
  process.once('exit', prepared.remove);
  const { command, args } = options;
  const end = await runChild(
    { command, args, environment: prepared.environment, ...(mask === undefined ? {} : { mask }) },
    relay,
  );
  prepared.remove();
  process.off('exit', prepared.remove);
  if (end.kind === 'not-started') context.warn(end.problem);
  return end.exitCode;
};

/** The exit code: the child's, or why it did not start. */
export const run = async (options: RunOptions, context: RunContext): Promise<number> => {
  const relay = relaySignals();
  try {
    return await runWith(options, context, relay);
  } catch (error) {
    const interrupted = relay.interrupted();
    if (interrupted === undefined) throw error;
    return interrupted;
  } finally {
    relay.close();
  }
};
