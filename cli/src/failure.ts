/** The exit codes of every command but `run` once its child has started. They are documented, and do not change. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  signedOut: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  uncertain: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  error: 'an error; nothing was changed beyond what the message says',
  usage: 'the command is wrong: nothing was sent',
  signedOut: 'not signed in, or the token is refused',
  forbidden: 'no access',
  notFound: 'the Secret, its version or its key does not exist, or is hidden from you',
  conflict: 'someone else changed it first',
  uncertain: 'the answer was lost: the change may have been made',
};

/** What ends a command. The message is for people, and has no value of a Secret. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(exit: keyof typeof EXIT, message: string, hint?: string) {
    super(message);
    this.exitCode = EXIT[exit];
    this.hint = hint;
  }
}

export function usage(message: string, hint?: string): Failure {
  return new Failure('usage', message, hint);
}
