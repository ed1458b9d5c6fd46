import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to a server that carries so many bits a second from it. */
export interface SlowLink {
  readonly url: string;
  /** Bytes from the server since the last call, divided by the requests since then. */
  bytesPerResponse(): number;
  close(): Promise<void>;
}

/** What is passed on at a time: a few milliseconds of the link. */
const PIECE = 16_384;

export async function openSlowLink(target: string, bitsPerSecond: number): Promise<SlowLink> {
  const { hostname, port } = new URL(`http://${target}`);
  const sockets = new Set<Socket>();
  let bytes = 0;
  let requests = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      requests++;
      upstream.write(chunk);
    });
    void pass(upstream, client, bitsPerSecond, (count) => {
      bytes += count;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytesPerResponse: () => {
      const mean = Math.round(bytes / requests);
      [bytes, requests] = [0, 0];
      return mean;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** In pieces, each when the link would have carried it; timers are coarse, so time that was slept too long is made up. */
async function pass(
  from: Socket,
  to: Socket,
  bitsPerSecond: number,
  count: (bytes: number) => void,
): Promise<void> {
  let freeAt = performance.now();
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      freeAt = Math.max(freeAt, performance.now());
      for (let start = 0; start < chunk.byteLength; start += PIECE) {
        const piece = chunk.subarray(start, start + PIECE);
        freeAt += (piece.byteLength * 8_000) / bitsPerSecond;
        if (freeAt > performance.now() + 1) await sleep(freeAt - performance.now());
        count(piece.byteLength);
        to.write(piece);
      }
    }
  } catch {
    to.destroy(); // the server's end of the connection is gone
  }
}
