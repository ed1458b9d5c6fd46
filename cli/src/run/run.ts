import { NOT_STARTED, relaySignals, runChild, type ChildCommand, type SignalRelay } from './child.ts';
import { createMasks } from './mask.ts';
import { memoryPlaces, mountKeys } from './mount.ts';
import {
  inheritedEnvironment,
  selectKeys,
  type SecretValues,
  type Selection,
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
  | { kind: 'prepared'; child: Pick<ChildCommand, 'environment' | 'mask'>; remove: () => void }
  | { kind: 'refused'; problems: readonly string[] };

const filesOf = (selection: Selection, options: RunOptions) => {
  const problems = [...selection.problems];
  const files = new Map<string, Uint8Array>();
  for (const { secret, key, value } of selection.selected) {
    if (files.has(key) && !options.allowClash) {
      problems.push(`${secret}: key "${key}" is in an earlier Secret too; --allow-clash takes the later one`);
    }
    files.set(key, value);
  }
  return { files, problems };
};

/** What the child gets of the values. A mount is made last, so that nothing has to be removed where something is refused. */
const prepare = (secrets: readonly SecretValues[], options: RunOptions, context: RunContext): Prepared => {
  const selection = selectKeys(secrets, options.only);
  const masks = options.mask ? createMasks(selection.selected.map(({ value }) => value)) : undefined;
  if (masks?.kind === 'too-large') {
    return refused('the values are too large for --mask; choose keys with --only');
  }
  const environment = inheritedEnvironment(context.environment, options.inherit);
  const child = { environment, ...(masks === undefined ? {} : { mask: masks.create }) };
  if (options.mount === undefined) {
    const result = variablesOf(selection, options);
    if (result.kind === 'refused') return result;
    for (const [name, value] of result.variables) environment.set(name, value);
    return { kind: 'prepared', child, remove: () => undefined };
  }
  const { files, problems } = filesOf(selection, options);
  if (problems.length > 0) return { kind: 'refused', problems };
  const mounted = mountKeys(options.mount, files, memoryPlaces(context.environment));
  if (mounted.kind === 'failed') return refused(mounted.problem);
  if (!mounted.inMemory)
    context.warn('no storage in memory was found: the values are on a disk until the end');
  return { kind: 'prepared', child, remove: mounted.remove };
};

const refused = (problem: string): Prepared => ({ kind: 'refused', problems: [problem] });

const runWith = async (options: RunOptions, context: RunContext, relay: SignalRelay): Promise<number> => {
  const prepared = prepare(await context.read(relay.aborted), options, context);
  if (prepared.kind === 'refused') {
    for (const problem of prepared.problems) context.warn(problem);
    return NOT_STARTED;
  }
  const { child, remove } = prepared;
  // Also when this process ends by an error that no one catches.
  process.once('exit', remove);
  const { command, args } = options;
  const end = await runChild({ command, args, ...child }, relay);
  remove();
  process.off('exit', remove);
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
