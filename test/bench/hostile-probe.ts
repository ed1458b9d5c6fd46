import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Another person who lists a namespace from the cache again and again, in a process of its own, so that it does not wait
 * for what attacks the service. Each line on standard input is answered by the times since the last one, in milliseconds.
 */
const [url = '', cookie = ''] = process.argv.slice(2);
/** Within the rate limit of a session. */
const PAUSE_MS = 55;
/** A connection that idled may be closed under the next request; clients then try again, as this one does. */
const ATTEMPTS = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let times: number[] = [];

function attempt(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (response) => {
      const { statusCode = 0, headers } = response;
      const isCached = statusCode === 200 && headers['x-list-source'] === 'cache';
      response
        .resume()
        .once('error', reject)
        .once('end', () => {
          if (isCached) resolve();
          else reject(new Error(`the list was answered ${statusCode}, and not from the cache`));
        });
    }).once('error', reject);
  });
}

async function list(): Promise<void> {
  const begun = performance.now();
  for (let left = ATTEMPTS; ; left--) {
    try {
      await attempt();
      times.push(performance.now() - begun);
      return;
    } catch (error) {
      if (left === 1 || !(error instanceof Error && 'code' in error)) throw error;
    }
  }
}

process.stdin.on('data', () => {
  process.stdout.write(`${JSON.stringify(times)}\n`);
  times = [];
});
await list();
process.stdout.write('ready\n');
for (;;) {
  await list();
  await sleep(PAUSE_MS);
}
