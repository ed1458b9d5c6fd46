import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The least that can stand between a client and these bytes: `node:http` and nothing else, in a process of its own. */
const [file = ''] = process.argv.slice(2);
const body = readFileSync(file);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.byteLength };
const server = createServer((request, response) => {
  if (request.url === '/cpu-seconds') {
    const { user, system } = process.cpuUsage();
    response.end(String((user + system) / 1e6));
    return;
  }
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? (address?.port ?? 0) : 0}\n`);
});
process.once('SIGTERM', () => {
  process.exit(0);
});
