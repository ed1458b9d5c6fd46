import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, type ApiClient } from '../../harness/api-client.ts';
import { secretOf } from '../../harness/answers.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { shortestTurnMs } from '../../harness/process-meter/shortest-turn.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const LIMIT = 16 * 1_048_576;
/**
 * What one body may cost everyone else, in processor time of the main thread: how busy the machine is does not count. The longest
 * single steps take about 60 ms (66,000 long names in one object), twice as much while caches are cold and code is not yet
 * compiled; before the bounds, bodies took seconds.
 */
const LONGEST_TURN_MS = 150;

let stack: Stack;
let admin: ApiClient;
let path: string;

beforeAll(async () => {
  stack = await startStack({ metered: true });
  path = secretsPath(await stack.namespace());
  admin = await clientFor(stack.service.url, ADMIN);
  secretOf(await admin.post(path, { name: 'docker' }), 201);
});
afterAll(() => stack.close());

const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `"${`${index}k`.padEnd(length, 'x')}":""`).join(',');
const filled = (before: string, unit: string, after: string) =>
  before +
  unit.repeat(Math.floor((LIMIT - Buffer.byteLength(before + after)) / Buffer.byteLength(unit))) +
  after;
const dockerConfig = (json: string) =>
  JSON.stringify({
    name: 'docker',
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': json },
  });

describe('no body keeps everyone waiting', () => {
  it.each<[what: string, status: number, body: string]>([
    ['empty objects', 413, filled('{"x":[', '{},', '{}]}')],
    ['brackets', 413, filled('', '[', '')],
    ['many short names', 413, `{"name":"a","data":{${names(66_000, 8)}}}`],
    ['many long names', 413, `{"name":"a","data":{${names(66_000, 235)}}}`],
    [
      'long names in both maps',
      413,
      `{"name":"a","data":{${names(33_000, 235)}},"stringData":{${names(33_000, 235)}}}`,
    ],
    ['unknown fields', 400, `{"name":"a",${names(66_000, 235)}}`],
    ['one long value', 413, filled('{"name":"a","data":{"a":"', 'x', '"}}')],
    ['one long value of wide characters', 413, filled('{"name":"a","data":{"a":"漢', 'x', '"}}')],
    ['escapes', 413, filled('{"name":"a","data":{"a":"', '\\u0041', '"}}')],
    [
      'a control character at the end of a long value',
      400,
      filled('{"name":"a","data":{"a":"漢', 'x', '\\u0000"}}'),
    ],
    ['a long description', 400, filled('{"name":"a","description":"漢', 'x', '"}')],
    ['a long type', 413, filled('{"name":"a","type":"漢', 'x', '"}')],
    ['a long access entry', 400, filled('{"name":"a","allowedUsers":["漢', 'x', '"]}')],
    ['many access entries', 400, `{"name":"a","allowedUsers":[${'"x",'.repeat(190_000)}"x"]}`],
    ['a long number', 400, filled('{"name":', '1', '}')],
    ['many numbers', 400, `{"name":[${'1e300,'.repeat(190_000)}1]}`],
    ['blanks', 400, filled('{', ' ', '}')],
    ['a Docker configuration of brackets', 422, dockerConfig('['.repeat(1_048_576))],
    ['a Docker configuration of objects', 409, dockerConfig(`{"a":[${'{},'.repeat(349_000)}0]}`)],
  ])('%s (%i)', async (_what, status, body) => {
    const send = async () => {
      const answer = await admin.send('POST', path, {
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status, answer.text.slice(0, 200)).toBe(status);
    };
    const limit = { limitMs: LONGEST_TURN_MS, attempts: 3 };
    expect(await shortestTurnMs(stack.service.meter, send, limit)).toBeLessThan(LONGEST_TURN_MS);
  });
});
