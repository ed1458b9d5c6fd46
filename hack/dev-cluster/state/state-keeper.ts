import { type Store } from '../store/store.ts';
import { writeStateFile } from './state-file.ts';

export interface StateKeeper {
  /** Writes what has not been written yet, and stops. */
  close(): Promise<void>;
}

const QUIET_MS = 200;
/** A large state takes long to write; this keeps the share of time spent on it small. */
const DUTY = 10;

/** Keeps a state file up to date: a moment after a change, and once more at the end. */
export function keepState(
  path: string,
  store: Store,
  tokenKey: Buffer,
  log: (line: string) => void,
): StateKeeper {
  let dirty = true;
  let lastMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const began = performance.now();
    dirty = false;
    try {
      await writeStateFile(path, store, tokenKey);
    } catch (error) {
      dirty = true;
      throw error;
    } finally {
      lastMs = performance.now() - began;
    }
  };
  const writeInTurn = (): void => {
    timer = undefined;
    writing = write().catch((error: unknown) => {
      log(
        `the state file could not be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
      );
    });
    void writing.then(() => {
      if (dirty) schedule();
    });
  };
  const schedule = (): void => {
    timer ??= setTimeout(writeInTurn, Math.max(QUIET_MS, lastMs * DUTY)).unref();
  };
  const unsubscribe = store.subscribe(() => {
    dirty = true;
    schedule();
  });
  schedule();

  return {
    async close() {
      unsubscribe();
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      if (dirty) await write();
    },
  };
}
