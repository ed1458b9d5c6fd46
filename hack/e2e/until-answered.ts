import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface UntilAnsweredOptions {
  /** A certificate authority that is trusted for this address alone. */
  readonly ca?: string;
  readonly timeoutMs?: number;
}

/**
 * Waits for an answer that is a success. That something listens at an address says nothing of what is behind it.
 * @throws when none comes in time
 */
export async function untilAnswered(
  url: string,
  { ca, timeoutMs = 60_000 }: UntilAnsweredOptions = {},
): Promise<void> {
  const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } });
  const isGood = async (): Promise<boolean> => {
    const answer = await request(url, { dispatcher, signal: AbortSignal.timeout(5_000) });
    await answer.body.dump();
    return answer.statusCode < 300;
  };
  try {
    const end = performance.now() + timeoutMs;
    // Until then nothing listens, or it is refused.
    while (!(await isGood().catch(() => false))) {
      if (performance.now() >= end) throw new Error(`nothing good is answered at ${url}`);
      await sleep(200);
    }
  } finally {
    await dispatcher.destroy();
  }
}
