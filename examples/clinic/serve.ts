// The nine tools for a Dify of yours. Argument: where its data is kept. Ctrl-C ends it.
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env } from 'node:process'
import { serveClinic } from './src/gateway.ts'
import { readSettings } from './src/settings.ts'

const [, , folder = join(tmpdir(), 'dataagent-clinic')] = argv
await mkdir(folder, { recursive: true })
await using served = await serveClinic({ folder, port: 8000, settings: readSettings(env) })
console.log(`Dify           ${served.url}/mcp/v1/sse`)
console.log(`Other clients  ${served.url}/mcp`)
console.log(`API key        ${served.apiKey}`)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
