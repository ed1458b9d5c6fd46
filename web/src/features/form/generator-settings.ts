import { DEFAULT_SETTINGS, GENERATED, LENGTHS, type GeneratorSettings } from '../../values/generate.ts';

const KEY = 'generator';

/** What was chosen the last time in this browser. */
export function readSettings(): GeneratorSettings {
  const [name, text = ''] = (localStorage.getItem(KEY) ?? '').split(' ');
  const kind = GENERATED.find((one) => one === name);
  const length = Number(text);
  const isLength = Number.isInteger(length) && length >= LENGTHS.min && length <= LENGTHS.max;
  return kind === undefined || !isLength ? DEFAULT_SETTINGS : { kind, length };
}

export function rememberSettings({ kind, length }: GeneratorSettings): void {
  localStorage.setItem(KEY, `${kind} ${length}`);
}
