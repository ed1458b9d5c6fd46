/** One line of a panel. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

export interface Panel {
  readonly title: string;
  /** As Grafana names it. */
  readonly unit: string;
  readonly series: readonly Series[];
}

const COLUMNS = 3;
const CELL = { width: 380, height: 190, gap: 16 };
const HEAD = 30;
const PLOT = { left: 52, top: 34, width: 312, height: 96 };
/** Each has enough contrast on white. */
const COLOURS = ['#0066cc', '#b1380b', '#3d7317', '#5e40be', '#63993d', '#795600'];
const MAX_LEGENDS = 6;

/** The panels as an SVG picture, in rows of three. */
export function drawPanels(title: string, panels: readonly Panel[]): string {
  const rows = Math.ceil(panels.length / COLUMNS);
  const width = COLUMNS * (CELL.width + CELL.gap) + CELL.gap;
  const height = HEAD + rows * (CELL.height + CELL.gap) + CELL.gap;
  const cells = panels.map((panel, index) => {
    const x = CELL.gap + (index % COLUMNS) * (CELL.width + CELL.gap);
    const y = HEAD + CELL.gap + Math.floor(index / COLUMNS) * (CELL.height + CELL.gap);
    return `<g transform="translate(${x} ${y})">${drawPanel(panel)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#f2f2f2"/>`,
    `<text x="${CELL.gap}" y="28" font-size="14" fill="#151515">${escaped(title)}</text>`,
    ...cells,
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ title, unit, series }: Panel): string {
  const values = series.flatMap((one) => one.values.filter(Number.isFinite));
  const top = endOfScale(Math.max(...values, 0));
  const grid = [0, 0.5, 1].map((share) => {
    const y = PLOT.height * (1 - share);
    const label = `<text x="-6" y="${y + 4}" text-anchor="end" fill="#4d4d4d">${shown(top * share, unit)}</text>`;
    return `<path d="M0 ${y}H${PLOT.width}" stroke="#d2d2d2"/>${label}`;
  });
  const lines = series.map((one, index) => drawLine(one, top, colour(index)));
  return [
    `<rect width="${CELL.width}" height="${CELL.height}" fill="#fff" stroke="#c7c7c7"/>`,
    `<text x="12" y="20" font-size="12" font-weight="bold" fill="#151515">${escaped(title)}</text>`,
    `<g transform="translate(${PLOT.left} ${PLOT.top})">${[...grid, ...lines].join('')}</g>`,
    drawLegend(series),
  ].join('\n');
}

function drawLine({ values }: Series, top: number, stroke: string): string {
  const points = values.flatMap((value, at) => {
    const x = (at / Math.max(values.length - 1, 1)) * PLOT.width;
    const y = PLOT.height * (1 - value / top);
    return Number.isFinite(y) ? [`${x.toFixed(0)},${y.toFixed(1)}`] : [];
  });
  return `<polyline fill="none" stroke="${stroke}" stroke-width="1.5" points="${points.join(' ')}"/>`;
}

function drawLegend(series: readonly Series[]): string {
  // The only series of a panel needs no name.
  const named = series
    .filter(({ name }) => name !== '')
    .slice(0, MAX_LEGENDS)
    .map(({ name }, index) => {
      const [x, y] = [12 + (index % 2) * 184, 150 + Math.floor(index / 2) * 14];
      const short = name.replace('/api/namespaces/:namespace/', '…/');
      const text = short.length > 28 ? `${short.slice(0, 27)}…` : short;
      const box = `<rect x="${x}" y="${y - 8}" width="8" height="8" fill="${colour(index)}"/>`;
      return `${box}<text x="${x + 12}" y="${y}" fill="#151515">${escaped(text)}</text>`;
    });
  const rest = series.length - MAX_LEGENDS;
  const more = `<text x="${CELL.width - 12}" y="20" text-anchor="end" fill="#4d4d4d">and ${rest} more</text>`;
  return [...named, ...(rest > 0 ? [more] : [])].join('');
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '#151515';
}

/** The least 1, 2 or 5 times a power of ten that is not below `most`. */
function endOfScale(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 5].find((step) => step * power >= most) ?? 10);
}

function shown(value: number, unit: string): string {
  if (value === 0) return '0';
  const rounded = (number: number): number => Number(number.toPrecision(2));
  switch (unit) {
    case 'bytes':
      if (value < 2 ** 10) return `${rounded(value)} B`;
      return value < 2 ** 20 ? `${rounded(value / 2 ** 10)} KiB` : `${rounded(value / 2 ** 20)} MiB`;
    case 's':
      return value < 1 ? `${rounded(value * 1_000)} ms` : `${rounded(value)} s`;
    case 'percentunit':
      return `${rounded(value * 100)} %`;
    case 'reqps':
      return `${rounded(value)}/s`;
    default:
      return String(rounded(value));
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
