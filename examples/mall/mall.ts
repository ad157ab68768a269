import type { Mall, MallOptions } from './control.ts'
import { createDemo } from './demo.ts'
import { startHttpServer } from './servers/http-server.ts'
import { createMcpServer } from './servers/mcp-server.ts'
import { createSseSessions, createStreamableSessions } from './servers/sessions.ts'
import { openShop } from './shop/shop.ts'

export type { Answer, Mall, MallCall, MallControl, MallOptions, ToolChange } from './control.ts'
export { type MallProcess, mallCommand, startMallProcess } from './servers/own-process.ts'

/** Starts the mall in this process. */
export async function startMall(options: MallOptions = {}): Promise<Mall> {
  const { transport: kind = 'sse', port = 0, token, db } = options
  const shop = openShop(db)
  const demo = createDemo(options)
  const createSessions = kind === 'sse' ? createSseSessions : createStreamableSessions
  const sessions = createSessions(() => createMcpServer({ shop, demo }))
  demo.onListChanged(sessions.tellListChanged)
  const server = await startHttpServer({ port, token, demo, sessions })

  async function close(): Promise<void> {
    await server.close()
    if (shop.isOpen) shop.close()
  }

  return {
    ...server.control,
    url: `http://127.0.0.1:${server.port}/${kind === 'sse' ? 'sse' : 'mcp'}`,
    kind,
    port: server.port,
    close,
    [Symbol.asyncDispose]: close,
  }
}
