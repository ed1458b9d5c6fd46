/** A version as it is released: three numbers, and a pre-release such as `rc.1`. */
const VERSION = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(?:-(?:alpha|beta|rc)\.(\d{1,4}))?$/;

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Whether `next` comes after `previous`, by the rules of semantic versions: a pre-release comes before its version. */
export function isNewer(next: string, previous: string): boolean {
  const [one, other] = [keyOf(next), keyOf(previous)];
  for (const [index, part] of one.entries()) {
    const against = other[index] ?? 0;
    if (part !== against) return part > against;
  }
  return false;
}

const STAGES = ['alpha', 'beta', 'rc'];

function keyOf(version: string): readonly number[] {
  const [numbers = '', stage] = version.split('-');
  const [name = '', count] = stage?.split('.') ?? [];
  const rank = stage === undefined ? STAGES.length : STAGES.indexOf(name);
  return [...numbers.split('.').map(Number), rank, Number(count ?? 0)];
}
