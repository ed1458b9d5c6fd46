import { readdirSync, readFileSync } from 'node:fs';

/** What Node.js, Express and the libraries read by themselves. */
const READ_BY_LIBRARIES: readonly string[] = [
  ...[
    'host',
    'connection',
    'upgrade',
    'expect',
    'content-length',
    'transfer-encoding',
    'te',
    'trailer',
    'keep-alive',
  ],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'forwarded'],
  ...['if-none-match', 'if-modified-since', 'range', 'if-range', 'user-agent', 'referer', 'authorization'],
  ...[
    'accept',
    'accept-charset',
    'accept-encoding',
    'accept-language',
    'x-http-method-override',
    'date',
    'vary',
  ],
];

const SOURCE = new URL('../../../src/', import.meta.url).pathname;
/** `request.get('x')`, `headers['x']`, `headers.x`. */
const READS = [/request\.get\('([a-z-]+)'\)/g, /headers\['([a-z-]+)'\]/g, /headers\.([a-z]+)\b(?!\()/g];

/** The header fields that the service reads, as its sources say, with those that its libraries read. */
export function headerNames(): readonly string[] {
  const files = ['api', 'auth', 'server'].flatMap((module) =>
    readdirSync(`${SOURCE}${module}`, { recursive: true, encoding: 'utf8' }).map(
      (file) => `${SOURCE}${module}/${file}`,
    ),
  );
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(file, 'utf8'));
  const read = texts.flatMap((text) =>
    READS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
  );
  return [...new Set([...READ_BY_LIBRARIES, ...read, 'x-unknown'])].toSorted();
}
