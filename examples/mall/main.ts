import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createDemo } from './demo.ts'
import { type MallFlags, parseFlags } from './flags.ts'
import { startMall } from './mall.ts'
import { startHttpServer } from './servers/http-server.ts'
import { createMcpServer } from './servers/mcp-server.ts'
import { openShop } from './shop/shop.ts'

const open = new AsyncDisposableStack()
// `disconnect`: the process that started it with a channel to it is gone.
process.once('SIGTERM', end).once('SIGINT', end).once('disconnect', end)
await serve(parseFlags(process.argv.slice(2)))

async function serve({ transport, ...options }: MallFlags): Promise<void> {
  if (transport === 'stdio') return serveStdio(options)
  const mall = open.use(await startMall({ transport, ...options }))
  console.log(`listening on ${mall.url}`)
}

/** Standard output belongs to the protocol. With a port, `/_demo` is served there. */
async function serveStdio({ port, token, db, ...rest }: Omit<MallFlags, 'transport'>) {
  const demo = createDemo(rest)
  const shop = openShop(db)
  open.defer(() => shop.close())
  const server = createMcpServer({ shop, demo })
  demo.onListChanged(() => server.sendToolListChanged())
  if (port !== undefined) {
    const side = await startHttpServer({ port, token, demo })
    open.defer(side.close)
    console.error(`demo on http://127.0.0.1:${side.port}/_demo`)
  }
  await server.connect(new StdioServerTransport())
  open.defer(() => server.close())
  process.stdin.once('end', end)
}

function end(): void {
  void open.disposeAsync().then(() => process.exit(0))
}
