import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { METER_ARGUMENTS, meterOf, type ProcessMeter } from '../../harness/process-meter/process-meter.ts';
import { sendHostile } from './send.ts';
import { slowTurns } from './slow-turns.ts';
import { machineSlowness } from '../../harness/machine-slowness.ts';

let child: ChildProcess;
let meter: ProcessMeter;
let base: string;

beforeAll(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const program = new URL('./slow-server.ts', import.meta.url).pathname;
  child = spawn(process.execPath, [...METER_ARGUMENTS, program, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  meter = meterOf(child);
  while ((await sendHostile(base, { method: 'GET', target: '/' })) !== 200) await sleep(25);
});
afterAll(() => child.kill('SIGKILL'));

const trial = (what: string, type: string) => ({
  what,
  send: () => sendHostile(base, { method: 'GET', target: '/', fields: [['content-type', type]] }),
});

it('an expression that goes over a text again and again is found, with the request that it was', async () => {
  const trials = [
    trial('short', 'application/json; charset=utf-8'),
    trial('long', `application/json; charset=${' '.repeat(1_100)}""b`),
    trial('harmless', `application/json; charset=${'a'.repeat(1_000)}`),
  ];
  // Each attempt costs several times the limit: a few are enough.
  expect(await slowTurns(meter, trials, new Map(), 3)).toEqual([expect.stringMatching(/^long: \d+ ms$/)]);
});

it('a process that does little has no long turn, however long it waits', async () => {
  await meter.read();
  await sleep(300);
  expect((await meter.read()).longestTurnMs / machineSlowness()).toBeLessThan(20);
});
