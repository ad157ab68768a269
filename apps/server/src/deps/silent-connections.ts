import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends, when the server is closed, connections on which nothing was asked yet: browsers and fetch
 * open some ahead. Node takes them for neither idle nor busy, and would wait for their headers.
 */
export function endSilentConnections(app: FastifyInstance): void {
  /** With what each had read when it could be asked on: a TLS handshake. */
  const open = new Map<Socket, number>()
  const event = 'setSecureContext' in app.server ? 'secureConnection' : 'connection'
  app.server.on(event, (socket: Socket) => {
    open.set(socket, socket.bytesRead)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const [socket, before] of open) if (socket.bytesRead === before) socket.destroy()
  })
}
