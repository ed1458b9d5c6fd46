/** Holds the OpenAPI document to the recommended rules of two linters. Reads no network. */
import { apiDocument } from './document.ts';
import { redoclyFindings, spectralFindings } from './lint.ts';

const LIMIT_MS = 60_000;

const limit = setTimeout(() => {
  console.error(`openapi: the linters took longer than ${LIMIT_MS / 1_000} s`);
  process.exit(1);
}, LIMIT_MS);

const document = apiDocument();
for (const [name, find] of [
  ['redocly', redoclyFindings],
  ['spectral', spectralFindings],
] as const) {
  const findings = await find(document);
  for (const finding of findings) console.error(`openapi: ${name}: ${finding}`);
  if (findings.length > 0) process.exitCode = 1;
  else console.log(`openapi: ${name}: no findings`);
}
clearTimeout(limit);
