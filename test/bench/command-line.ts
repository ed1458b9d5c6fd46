import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMMAND } from '../../cli/test/start-command.ts';
import { DEVELOPER_A, sessionCookie } from '../harness/api-client.ts';
import { TEST_SESSION_SECRET } from '../harness/service-process.ts';
import { terminalToken } from '../harness/terminal-token.ts';
import { onBenchFixture, percentile, say, timed } from './fixture.ts';

/** `secretsctl list` against a local service, beside curl and beside a Node that does nothing: milliseconds of whole processes. */

const SECRETS = 100;
const ROUNDS = 40;
const run = promisify(execFile);

await onBenchFixture(async (bench) => {
  const { folder } = bench;
  const namespace = await bench.fill(SECRETS, 64);
  const { url } = await bench.service({});
  const token = await terminalToken(url, await sessionCookie(DEVELOPER_A, TEST_SESSION_SECRET));
  const tokenFile = join(folder, 'token');
  const headers = join(folder, 'headers');
  writeFileSync(tokenFile, token);
  writeFileSync(headers, `Authorization: Bearer ${token}\n`);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    SECRETSCTL_SERVER: url,
    SECRETSCTL_TOKEN_FILE: tokenFile,
  };
  const median = async (program: string, ...args: string[]) =>
    percentile(await timed(ROUNDS, () => run(program, args, { env })), 0.5);
  const curl = await median('curl', '-sf', '-H', `@${headers}`, `${url}/api/namespaces/${namespace}/secrets`);
  const node = await median(process.execPath, '--eval', '0');
  const list = await median(process.execPath, COMMAND, 'list', '-n', namespace);
  say(`secretsctl list of ${SECRETS} Secrets`, {
    'p50 ms': list,
    'curl ms': curl,
    'times curl (aim 2)': list / curl,
    'a Node that does nothing ms': node,
    'times that': list / node,
  });
});
