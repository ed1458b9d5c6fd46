import { readFileSync } from 'node:fs';
import { proxied } from '../../harness/nginx/nginx.ts';

const SIGN_IN = new URL('../../../docs/sign-in.md', import.meta.url);

/**
 * The `server` block of docs/sign-in.md as lines for a site of the tests, in front of the service at `port`. It is taken as
 * it stands there, so that the documentation cannot differ from what was tried.
 */
export function documentedSite(port: number): readonly string[] {
  const [, ...blocks] = readFileSync(SIGN_IN, 'utf8').split(/^ *```nginx\n/m);
  if (blocks.length !== 1)
    throw new Error(`docs/sign-in.md has ${blocks.length} nginx blocks instead of one`);
  const [text = ''] = (blocks[0] ?? '').split(/^ *```$/m);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const location = lines.indexOf('location / {');
  const isServer = lines[0] === 'server {' && lines.at(-1) === '}' && lines.at(-2) === '}' && location > 0;
  if (!isServer) throw new Error('the nginx block of docs/sign-in.md is no server with a location');
  return [...lines.slice(1, location), proxied('/', port, lines.slice(location + 1, -2))];
}
