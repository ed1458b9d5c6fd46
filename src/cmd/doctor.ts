import { examineSignIn } from '../auth/doctor/examine-sign-in.ts';
import { fix, type Finding } from '../auth/doctor/finding.ts';
import { exitCodeFor, reportLines } from '../auth/doctor/report.ts';
import { readSettings, SettingsError } from '../config/settings.ts';

// Checks the sign-in configuration of this environment: `npm run doctor`, or `node dist/cmd/doctor.js` in the
// container. Prints what is right and what to change; exits with 1 when something is to be changed.

async function examine(): Promise<readonly Finding[]> {
  try {
    const settings = readSettings(process.env);
    return await examineSignIn({ settings, fetch: globalThis.fetch, now: Date.now });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map(({ variable, rule }) => fix('settings', `${variable} ${rule}`));
  }
}

const findings = await examine();
process.stdout.write(`${reportLines(findings).join('\n')}\n`);
process.exitCode = exitCodeFor(findings);
