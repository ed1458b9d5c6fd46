import { functionLines } from './function-lines.ts';
import { linearPattern } from './linear-pattern.ts';

/** The project's own rules of lint. */
export default {
  meta: { name: 'project' },
  rules: { 'function-lines': functionLines, 'linear-pattern': linearPattern },
};
