export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set; an empty one counts as none. */
export function variable(environment: Environment, name: string): string | undefined {
  return environment[name] === '' ? undefined : environment[name];
}
