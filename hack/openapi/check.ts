/** Holds the OpenAPI document to the recommended rules of two linters. Reads no network. */
import { apiDocument } from './document.ts';
import { redoclyProblems, spectralProblems } from './lint.ts';

const LIMIT_MS = 60_000;

const limit = setTimeout(() => {
  console.error(`openapi: the linters took longer than ${LIMIT_MS / 1_000} s`);
  process.exit(1);
}, LIMIT_MS);

const document = apiDocument();
for (const [name, find] of [
  ['redocly', redoclyProblems],
  ['spectral', spectralProblems],
] as const) {
  const problems = await find(document);
  for (const problem of problems) console.error(`openapi: ${name}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`openapi: ${name}: no problems`);
}
clearTimeout(limit);
