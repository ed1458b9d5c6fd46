// A server with the expression that once stopped this service for minutes, so that a test can see it found.
import { createServer } from 'node:http';

createServer(({ headers }, response) => {
  const parameter = headers['content-type']?.split(';')[1] ?? '';
  const found = /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(parameter);
  response.end(found?.[1]);
}).listen(Number(process.argv[2]), '127.0.0.1');
