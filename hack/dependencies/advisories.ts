/** What `npm audit --json` says. */
export type AuditVerdict =
  | {
      readonly outcome: 'answered';
      /** Packages with an advisory of high or critical severity, as `name (severity)`. */
      readonly severe: readonly string[];
      /** How many have one of a lower severity. */
      readonly others: number;
    }
  /** The registry has no such endpoint, or was not reached. */
  | { readonly outcome: 'unanswered'; readonly why: string }
  /** The audit could not be made, and not because there is no registry. */
  | { readonly outcome: 'broken'; readonly why: string };

const SEVERE: readonly unknown[] = ['high', 'critical'];

export function readAudit(output: string): AuditVerdict {
  const report = parsed(output);
  if (report === undefined) return { outcome: 'broken', why: 'npm audit wrote no JSON' };
  const { error, message, statusCode, vulnerabilities } = report;
  if (isObject(vulnerabilities) && report['auditReportVersion'] === 2) {
    const found = Object.entries(vulnerabilities).map(([name, value]) => ({
      name,
      severity: isObject(value) ? value['severity'] : undefined,
    }));
    const severe = found.filter(({ severity }) => SEVERE.includes(severity));
    return {
      outcome: 'answered',
      severe: severe.map(({ name, severity }) => `${name} (${String(severity)})`),
      others: found.length - severe.length,
    };
  }
  if (isObject(error) && typeof error['code'] === 'string') return { outcome: 'broken', why: error['code'] };
  // npm's form of a request that failed: its message, and the status where there was an answer.
  if (typeof message !== 'string') return { outcome: 'broken', why: 'npm audit wrote an unknown report' };
  const why = typeof statusCode === 'number' ? `it answered ${statusCode}` : 'it was not reached';
  return { outcome: 'unanswered', why };
}

function parsed(output: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const report: unknown = JSON.parse(output);
    return isObject(report) ? report : undefined;
  } catch {
    return undefined; // the caller says so
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
