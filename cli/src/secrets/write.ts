import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretSummary } from '../../../web/src/api/schema.ts';
import { Failure } from '../failure.ts';
import { Refusal, type Service } from '../service/service.ts';
import { describe, pathOf, titleOf, type SecretRef } from './secrets.ts';

export interface Write<Result> {
  readonly service: Service;
  readonly ref: SecretRef;
  /** What the write is based on; undefined where the Secret must not exist. */
  readonly base: Pick<SecretSummary, 'resourceVersion' | 'version'> | undefined;
  readonly send: () => Promise<Result>;
  /**
   * Whether the write was made, by what is stored now; undefined is a Secret that is gone. By its content: another write of the
   * same person can have the next version as well.
   */
  readonly wasMade: (now: SecretSummary | undefined) => Promise<Result | undefined>;
}

/** For a write whose effect cannot be looked up: a lost answer is uncertain, everything else is thrown as it is. */
export function whenLost(what: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Refusal) || !error.isUncertain) throw error;
    throw new Failure('uncertain', `${error.message}; ${what}`, `Look before you repeat it: ${hint}`);
  };
}

const LOOKS = 3;
const BETWEEN_LOOKS_MS = 1_000;

/**
 * Sends a write once. A conflict names who was first, and with which keys. Where the answer is lost it is not sent again:
 * the Secret is read, and says what became of it.
 * @throws {Failure}
 */
export async function write<Result>(one: Write<Result>): Promise<Result> {
  try {
    return await one.send();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 409) throw await conflict(one, error);
    if (error.isUncertain) return afterLostAnswer(one, error);
    throw error;
  }
}

async function afterLostAnswer<Result>(one: Write<Result>, error: Refusal): Promise<Result> {
  const title = titleOf(one.ref);
  const unknown = (text: string) =>
    new Failure(
      'uncertain',
      `${error.message}; ${text}`,
      `Look before you repeat it: secretsctl history ${title}`,
    );
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await sleep(BETWEEN_LOOKS_MS);
    let now: SecretSummary | undefined;
    try {
      now = await describeIfThere(one);
    } catch {
      continue;
    }
    const made = await one.wasMade(now).catch(() => undefined);
    if (made !== undefined) return made;
    if (now?.resourceVersion !== one.base?.resourceVersion) {
      throw unknown(`${title} was changed meanwhile, and does not show whether your change was made`);
    }
    if (look === LOOKS - 1 && error.hasEnded) throw error;
  }
  throw unknown('whether your change was made is unknown');
}

async function describeIfThere({ service, ref }: Pick<Write<unknown>, 'service' | 'ref'>) {
  try {
    return await describe(service, ref);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

/** Who was first, and which keys they changed. Where there is no later version, the service has refused for another reason. */
async function conflict({ service, ref, base }: Write<unknown>, error: Refusal): Promise<Failure> {
  if (base === undefined) return error;
  const title = titleOf(ref);
  try {
    const now = await describe(service, ref);
    if (now.version <= base.version) return error;
    const operation = 'GET /api/namespaces/{namespace}/secrets/{name}/versions';
    const { versions, changes } = await service.send(operation, { path: pathOf(ref) });
    const since = [
      changes,
      ...versions.filter(({ version }) => version > base.version).map((one) => one.changes),
    ];
    const keys = since.flatMap((one) =>
      one === undefined ? [] : [...one.added, ...one.changed, ...one.removed],
    );
    const who = now.lastModifiedBy === undefined ? '' : ` by ${now.lastModifiedBy}`;
    const which = keys.length === 0 ? '' : `; keys: ${[...new Set(keys)].sort().join(', ')}`;
    return new Failure(
      'conflict',
      `${title} was changed${who} meanwhile (version ${now.version})${which}`,
      'Nothing of yours was saved. Read it again.',
    );
  } catch {
    return error;
  }
}
