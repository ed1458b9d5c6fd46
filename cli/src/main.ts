import { secretsctl } from './secretsctl.ts';
import { createTerminal } from './terminal/terminal.ts';

// A reader that has enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
const terminal = createTerminal(process, process.env['NO_COLOR']);
process.exitCode = await secretsctl(process.argv.slice(2), process.env, terminal);
