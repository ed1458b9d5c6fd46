import { setTimeout as wait } from 'node:timers/promises';
import { secretOf, type SecretJson } from '../../harness/answers.ts';
import type { ApiClient } from '../../harness/api-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';

/** After a conflict a client waits for up to so long, as clients should that do not want to meet again. */
const LONGEST_WAIT_MS = 600;
/** Far more than anyone needs: with every conflict, someone else has got through. */
const MOST_ATTEMPTS = 1_000;

/**
 * Adds `key` to the values of a Secret as a careful client does: load, change, write under the loaded revision,
 * and start over on 409. With `mayRecover` a snapshot collision counts as reviewed.
 * @returns the answer that acknowledged the write
 */
export async function addKey(
  client: ApiClient,
  namespace: string,
  name: string,
  key: string,
  mayRecover = false,
): Promise<SecretJson> {
  const secrets = secretsOf(client, namespace);
  let recoverCounter = false;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const { resourceVersion, data } = await secrets.read(name);
    const answer = await client.put(secrets.path(name), {
      resourceVersion,
      data: { ...data, [key]: 'added' },
      ...(recoverCounter ? { recoverCounter } : {}),
    });
    if (answer.status !== 409) return secretOf(answer);
    recoverCounter = mayRecover && answer.text.includes('recoverCounter');
    await wait(Math.random() * LONGEST_WAIT_MS);
  }
  throw new Error(`${key} could not be added in ${MOST_ATTEMPTS} attempts`);
}
