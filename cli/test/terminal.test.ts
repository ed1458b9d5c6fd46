import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTerminal, Interrupted } from '../src/terminal/terminal.ts';

/** A terminal that shows what is typed until it is raw; `typeAt` types as soon as a text is on the screen. */
function fakeTerminal(typeAt: string, keys: string) {
  const screen = { text: '' };
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(raw: boolean) {
      stdin.isRaw = raw;
    },
  });
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const wasOnScreen = screen.text.includes(typeAt);
      screen.text += chunk.toString();
      if (!wasOnScreen && screen.text.includes(typeAt)) {
        if (!stdin.isRaw) screen.text += keys;
        setImmediate(() => stdin.write(keys));
      }
      done();
    },
  });
  const stdout = Object.assign(output, { isTTY: true });
  return { terminal: createTerminal({ stdin, stdout, stderr: stdout }, undefined), screen, stdin };
}

describe('a value that is typed', () => {
  it('is never shown, as early as it is typed', async () => {
    const { terminal, screen, stdin } = fakeTerminal('the value of a, not shown: ', 'hunter2\r');
    expect(Buffer.from(await terminal.read('the value of a')).toString()).toBe('hunter2');
    expect(screen.text).toBe('the value of a, not shown: \n');
    expect(stdin.isRaw).toBe(false);
  });

  it.each(['begin\rmiddle\rend\r', 'begin\rend'])(
    'is none of several lines, as they are pasted',
    async (keys) => {
      const { terminal, screen } = fakeTerminal('not shown: ', keys);
      const several = { exitCode: 2, message: 'more than one line was pasted: nothing of it was used' };
      await expect(terminal.read('the value of a')).rejects.toMatchObject(several);
      expect(screen.text).toBe('the value of a, not shown: \n');
    },
  );

  it('may be pasted with line breaks after it', async () => {
    const { terminal } = fakeTerminal('not shown: ', 'hunter2\r\n\r\n');
    expect(Buffer.from(await terminal.read('the code')).toString()).toBe('hunter2');
  });

  it.each(['hunt\u0003', 'hunter2\r\u0003'])(
    'is given up with Ctrl-C, which ends the raw mode too',
    async (keys) => {
      const { terminal, stdin } = fakeTerminal('not shown: ', keys);
      await expect(terminal.read('the value of a')).rejects.toBeInstanceOf(Interrupted);
      expect(stdin.isRaw).toBe(false);
    },
  );
});

describe('a question', () => {
  it('stays while its answer is corrected, which is shown once', async () => {
    const { terminal, screen } = fakeTerminal('Delete it? [y/N] ', 'n\u007Fy\r');
    expect(await terminal.question('Delete it? [y/N] ')).toBe('y');
    expect(screen.text.split('Delete it? [y/N] ')).toHaveLength(3);
  });
});
