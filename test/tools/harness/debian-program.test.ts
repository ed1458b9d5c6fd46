import { expect, test } from 'vitest';
import { debianProgram } from '../../harness/debian-program.ts';

test('a program that is missing fails what needs it, and the message names the script that gets it', () => {
  expect(() => debianProgram('no-such-program')).toThrow(
    'no-such-program is missing: run hack/install-no-such-program',
  );
});
