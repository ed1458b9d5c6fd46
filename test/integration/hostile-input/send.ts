import { connect } from 'node:net';

/** A request as bytes: nothing of it is normalized, encoded or refused on this side. */
export interface HostileRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly fields?: readonly (readonly [name: string, value: string])[];
  /** In one piece, or several. */
  readonly body?: string | readonly Buffer[] | undefined;
}

const STATUS_LINE = 'HTTP/1.1 200';

/** Sends it on a connection of its own; resolves with the status, or 0 when the connection ended without one. */
export function sendHostile(
  base: string,
  { method, target, fields = [], body }: HostileRequest,
): Promise<number> {
  const { port, host } = new URL(base);
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : (body ?? []);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const content = body === undefined ? [] : [`content-length: ${length}`];
  const given = new Set(fields.map(([name]) => name));
  const own = [['host', host] as const, ['connection', 'close'] as const].filter(
    ([name]) => !given.has(name),
  );
  const lines = [...own, ...fields].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} HTTP/1.1`, ...lines, ...content, '', ''].join('\r\n');
  return new Promise((resolve) => {
    // By address: thousands of look-ups take longer than what is sent.
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    // A service that has refused a request need not read the rest of it.
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
      // The work is done once the status is there.
      if (answer.length > STATUS_LINE.length) socket.destroy();
    });
    socket.on('close', () => {
      resolve(Number(answer.slice('HTTP/1.1 '.length, STATUS_LINE.length)));
    });
    socket.write(Buffer.from(head, 'latin1'));
    for (const piece of pieces) socket.write(piece);
    socket.end();
    socket.setTimeout(20_000, () => socket.destroy());
  });
}
