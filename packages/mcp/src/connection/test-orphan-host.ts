import { createStdioTransport } from '../transports/stdio/stdio-transport.ts'
import { createConnection } from './connection.ts'
import { stdioServer } from './test-places.ts'

/**
 * A host that opens connections to servers whose command lines all hold the mark, says when they
 * are up, and waits to be killed, or closes them.
 */
const [mark = '', what] = process.argv.slice(2)
const node = process.execPath
const real = [stdioServer, mark]

/** As `npx` does it: the server is a child of what was started, and has a helper of its own. */
const launcher = `
const { spawn } = require('node:child_process')
spawn('sleep', ['600.${mark}'], { detached: true, stdio: 'ignore' }).unref()
spawn(process.execPath, ${JSON.stringify(real)}, { stdio: 'inherit' })
`

const commands: [command: string, args: string[]][] = [
  [node, real],
  ['sh', ['-c', `"$0" "$@"; exit`, node, ...real]],
  ['sh', ['-c', `trap '' TERM HUP; "$0" "$@"; exit`, node, ...real]],
  [node, ['-e', launcher, mark]],
]

const connections = await Promise.all(
  commands.map(async ([command, args], index) => {
    const createTransport = () => createStdioTransport({ command, args })
    const connection = createConnection({ name: `server-${index}`, createTransport })
    await connection.open()
    await connection.callTool('echo', { message: 'hi' })
    return connection
  }),
)
console.log('up')
if (what === 'close') await Promise.all(connections.map((connection) => connection.close()))
