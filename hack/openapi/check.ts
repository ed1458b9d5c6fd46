/** Holds the OpenAPI document to the rules of its linter. Reads no network. */
import { apiDocument } from './document.ts';
import { openApiProblems } from './lint.ts';

const LIMIT_MS = 60_000;

const limit = setTimeout(() => {
  console.error(`openapi: the linter took longer than ${LIMIT_MS / 1_000} s`);
  process.exit(1);
}, LIMIT_MS);

const problems = await openApiProblems(apiDocument());
for (const problem of problems) console.error(`openapi: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log('openapi: no problems');
clearTimeout(limit);
