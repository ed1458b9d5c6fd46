import { readFileSync } from 'node:fs';
import * as z from 'zod';

const FILE = new URL('../../../chart/secrets-management-service/values.schema.json', import.meta.url);

/** Helm holds values to the chart's schema before it renders. */
export const VALUES = z.fromJSONSchema(
  JSON.parse(readFileSync(FILE, 'utf8')) as z.core.JSONSchema.JSONSchema,
);
