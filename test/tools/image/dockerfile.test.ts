import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assignmentsOf, parseDockerfile, type Instruction } from '../../../hack/image-check/dockerfile.ts';
import { parseIgnoreFile } from '../../../hack/image-check/ignore-file.ts';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string): string => readFileSync(`${PROJECT}${file}`, 'utf8');
const STAGES = parseDockerfile(read('Dockerfile'));
const isSent = parseIgnoreFile(read('.dockerignore'));

/** What a stage is made of, the stages that it stands on first. */
function layersOf(name: string): readonly Instruction[] {
  const stage = STAGES.find((one) => one.name === name);
  return stage === undefined ? [] : [...layersOf(stage.from), ...stage.instructions];
}

const last = (instructions: readonly Instruction[], name: string): Instruction | undefined =>
  instructions.findLast((instruction) => instruction.name === name);

const NOTHING: Instruction = { name: '', flags: new Map(), rest: '', list: undefined };

describe('the image', () => {
  const layers = layersOf('service');

  it('is the last stage, which is built when none is named', () => {
    expect(STAGES.at(-1)?.name).toBe('service');
  });

  it('runs as a user by number who is not root', () => {
    expect(last(layers, 'USER')?.rest).toBe('65532:65532');
  });

  it('has folders that belong to root, so that the service cannot write what it runs', () => {
    const runtime = STAGES.find(({ name }) => name === 'runtime')?.instructions ?? [];
    const order = runtime.filter(({ name }) => name === 'USER' || name === 'WORKDIR').map(({ rest }) => rest);
    expect(order).toEqual(['0:0', '/app', '65532:65532']);
    expect(layers.filter(({ flags }) => flags.has('chown'))).toEqual([]);
  });

  it('has the licences and notices of what it ships', () => {
    const copied = layers.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
    expect(copied).toContain('/app/NOTICES ./');
  });

  it('keeps the credentials and the authority of a registry in no layer', () => {
    const stages = STAGES.filter(({ from }) => from === 'node');
    const installs = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, rest }) => name === 'RUN' && rest.includes('image-npm-ci'));
    expect(installs).toHaveLength(2);
    const text = read('Dockerfile');
    expect(
      text.match(/^RUN --mount=type=secret,id=npmrc --mount=type=secret,id=ca hack\/image-npm-ci /gm),
    ).toHaveLength(2);
    expect(text).not.toMatch(/^(?:ENV|ARG) .*(?:npmrc|secret)/im);
  });

  it('needs no shell, neither to run nor for its health check', () => {
    expect(layers.filter(({ name }) => name === 'RUN')).toEqual([]);
    expect(last(layers, 'ENTRYPOINT')?.list).toEqual(['/usr/local/bin/node']);
    expect(last(layers, 'CMD')?.list).toEqual(['dist/main.js']);
    expect(last(layers, 'HEALTHCHECK')?.list?.slice(0, 2)).toEqual(['/usr/local/bin/node', '-e']);
    expect(last(layers, 'STOPSIGNAL')?.rest).toBe('SIGTERM');
  });

  it('installs what the lock files say, and ships of that what the build has bundled', () => {
    const installs = STAGES.flatMap(({ name, instructions }) =>
      instructions
        .filter((instruction) => instruction.name === 'RUN' && /\bnpm\b/.test(instruction.rest))
        .map(({ rest }) => [name, rest] as const),
    ).filter(([, command]) => !command.startsWith('npm run '));
    for (const [, command] of installs) expect(command).toMatch(/^hack\/image-npm-ci( |$)/);
    expect(read('hack/image-npm-ci')).toMatch(/^exec npm ci "\$@"$/m);
    const shipped = layers.filter(({ name }) => name === 'COPY').map(({ rest }) => rest.split(' ')[0]);
    expect(shipped).toEqual([
      ...['/app/node', 'package.json', '/app/NOTICES', '/app/dist/', '/app/web/dist/'],
    ]);
  });

  it('is for production, and says what it is', () => {
    const named = (name: string) => assignmentsOf(last(layers, name) ?? NOTHING);
    expect(named('ENV').get('NODE_ENV')).toBe('production');
    const labels = [...named('LABEL').keys()];
    expect(labels).toEqual(
      ['title', 'description', 'licenses', 'version', 'revision'].map(
        (name) => `org.opencontainers.image.${name}`,
      ),
    );
  });
});

describe('what is sent to the builder', () => {
  const copied = STAGES.flatMap(({ instructions }) =>
    instructions
      .filter(({ name, flags }) => name === 'COPY' && !flags.has('from'))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1)),
  ).map((source) => source.replace(/\/$/, ''));

  it.each([...new Set(copied)])('%s is there, and is sent', (source) => {
    expect(existsSync(`${PROJECT}${source}`)).toBe(true);
    expect(isSent(source)).toBe(true);
  });

  it.each([
    ...['.git', '.dev/session-secret', '.env', 'node_modules/zod', 'web/node_modules/vite', 'dist/main.js'],
    ...['web/dist/index.html', 'test/data', 'hack/run.ts', 'docs/api.md', 'kustomize', 'anything-new'],
  ])('%s is not sent', (path) => {
    expect(isSent(path)).toBe(false);
  });

  it('is nothing but what is named', () => {
    expect(
      read('.dockerignore')
        .split('\n')
        .find((line) => line !== '' && !line.startsWith('#')),
    ).toBe('*');
  });
});

describe('reading a Dockerfile', () => {
  it('refuses an instruction that the check would pass over', () => {
    expect(() => parseDockerfile('FROM node AS a\nADD https://example.com/x /x')).toThrow('ADD');
  });

  it('refuses a pattern that the check would take for something else', () => {
    expect(() => parseIgnoreFile('**/*.ts')).toThrow('not known');
  });
});
