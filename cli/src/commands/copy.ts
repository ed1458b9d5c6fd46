import { rulesOf } from '../../../src/contract/access-rules.ts';
import { command } from '../command.ts';
import { readSecret, refOf, titleOf } from '../secrets/secrets.ts';
import { wantsJson } from './list.ts';
import { CHANGE_OPTIONS, noteOf, report, sendCreate, wouldDo } from './write.ts';

export const copy = command({
  name: 'copy',
  summary: 'Copy a Secret to another name or namespace',
  usage: 'NAME TO',
  min: 2,
  max: 2,
  details: ['Values, type, description, dates and access rules go along; the history does not.'],
  options: { ...CHANGE_OPTIONS, 'no-rules': { type: 'boolean', summary: 'without the access rules' } },
  examples: ['secretsctl copy staging/database production/database --no-rules'],
  async run(context, { positionals: [from = '', to = ''], options }) {
    const ref = refOf(context, from);
    const target = refOf(context, to);
    wantsJson(options.output);
    const { summary, values } = await readSecret(context.service(), ref);
    if (options['dry-run']) {
      wouldDo(context, target, `created with ${[...values.keys()].join(', ') || 'no key'}`);
      return;
    }
    const { type, description, expiresAt, rotateEvery } = summary;
    const facts = {
      ...{ type, description, ...(options['no-rules'] ? {} : rulesOf(summary)), ...noteOf(options) },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(rotateEvery === undefined ? {} : { rotateEvery }),
    };
    const secret = await sendCreate(context, target, values, facts);
    report(context, options, secret, `copied from ${titleOf(ref)}`);
  },
});
