/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  /** `--from=build` and the like. */
  readonly flags: ReadonlyMap<string, string>;
  /** What follows, with variables as written. */
  readonly rest: string;
  /** The rest as a JSON array, for the forms without a shell; undefined otherwise. */
  readonly list: readonly string[] | undefined;
}

export interface Stage {
  readonly name: string;
  /** An image, or the name of an earlier stage. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** Instructions that may stand in our Dockerfile; what is not understood here must not pass unnoticed. */
const KNOWN: readonly string[] = [
  ...['ARG', 'FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'LABEL', 'USER', 'EXPOSE', 'STOPSIGNAL'],
  ...['HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
];

/** @throws when there is an instruction that is not known here */
export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  const defaults = new Map<string, string>();
  for (const instruction of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (instruction.name === 'FROM') {
      const [from = '', , name = ''] = instruction.rest.split(/\s+/);
      stages.push({ name, from: expand(from, defaults), instructions: [] });
    } else if (stage === undefined) {
      const [variable = '', value = ''] = instruction.rest.split('=');
      defaults.set(variable, value);
    } else {
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** `NAME=value` and `NAME="two words"`, as ENV and LABEL have them. */
export function assignmentsOf({ rest }: Instruction): ReadonlyMap<string, string> {
  const found = rest.matchAll(/\s*([^\s=]+)=(?:"([^"]*)"|(\S*))/gy);
  return new Map([...found].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
}

function instructionsOf(text: string): readonly Instruction[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(instructionOf);
}

function instructionOf(line: string): Instruction {
  const [, name = '', words = ''] = /^([A-Z]+)\s+(\S.*)$/.exec(line) ?? [];
  if (!KNOWN.includes(name)) throw new Error(`The Dockerfile has an instruction that is not known: ${line}`);
  const flags = [...words.matchAll(/--([^\s=]+)=(\S+)\s+/gy)];
  const rest = words.slice(flags.reduce((length, [flag]) => length + flag.length, 0));
  const array = rest.includes('[') && rest.endsWith(']') ? rest.slice(rest.indexOf('[')) : undefined;
  const isList = array !== undefined && ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].includes(name);
  return {
    name,
    flags: new Map(flags.map(([, flag = '', value = '']) => [flag, value])),
    rest,
    list: isList ? (JSON.parse(array) as readonly string[]) : undefined,
  };
}

function expand(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
}
