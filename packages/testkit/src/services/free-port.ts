import { once } from 'node:events'
import { createServer } from 'node:net'
import { AppError } from '@dataagent/schema'

const lowest = 10_000
const highest = 32_000

/**
 * A loopback port that nobody listens on. It lies below the range from which systems take the ports
 * of outgoing connections: a client that retries while the server is down could otherwise occupy
 * it, even by meeting itself.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
  throw new AppError('unavailable', `No free port found between ${lowest} and ${highest}`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
