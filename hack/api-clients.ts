import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { PAGE, pageText } from './api-clients/page.ts';
import type { ApiDocument } from './api-clients/requests.ts';
import { apiDocument } from './openapi/document.ts';

// Writes docs/api-clients.md from the OpenAPI document. With --check nothing is written, and a difference is an error.

const options = { ...(await resolveConfig(PAGE)), parser: 'markdown' };
const text = await format(pageText(apiDocument() as ApiDocument), options);

if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
else if (readFileSync(PAGE, 'utf8') !== text) {
  console.error('docs/api-clients.md differs from the OpenAPI document: run `npm run api-clients`');
  process.exitCode = 1;
}
